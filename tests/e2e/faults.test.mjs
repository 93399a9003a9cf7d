// Servers and proxies on bad days: one bad line, row or answer never takes the others with it, and is never silent.

import assert from "node:assert/strict";

import { assertSameAsKubectl } from "./support/kubectl-table.mjs";
import { everywhere, scenario } from "./support/scenario.mjs";
import { look, readTable, row, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

const MAPS = "configmaps?namespace=platform";

const status = (code, reason, message) => ({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code, reason, message });

/** The open watch of config maps at the meddler. */
const stream = (meddler) => until(() => meddler.watches("configmaps").at(-1), "a watch of config maps is open");

async function makeMap(scene, name) {
    await scene.cluster.remove("configmap", name, "-n", "platform");
    scene.atEnd(() => scene.cluster.remove("configmap", name, "-n", "platform"));
    await scene.cluster.kubectl("create", "configmap", name, "-n", "platform");
}

everywhere("a line of the watch that makes no sense is told, and the stream goes on", async (scene) => {
    const meddler = await scene.meddler();
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    const open = await stream(meddler);
    open.inject('{"type":"ADDED","object":{"kind":');
    await untilPage(page, ({ banners, healthTitle }) => [...banners, healthTitle].some((text) => /could not be read/.test(text)), "the page tells of it");
    await makeMap(scene, `after-the-line-${scene.core}`);
    await until(() => row(page, `after-the-line-${scene.core}`).count(), "the next event arrives");
    assert.equal(open.closed, false, "by the same stream");
    assert.equal((await look(page)).health, "live");
});

for (const [what, line] of [
    ["an empty line", ""],
    ["a number", "17"],
    ["null", "null"],
    ["an event of a type that does not exist", '{"type":"RENAMED","object":{}}'],
    ["an event without an object", '{"type":"MODIFIED"}'],
    ["bytes that are no text", "\u0000\u0001\ufffd"],
    ["a page of a proxy", "<html><body>Gateway timeout</body></html>"],
]) {
    scenario(`${what} in the watch does not end it`, async (scene) => {
        const meddler = await scene.meddler();
        const page = await scene.open(meddler, MAPS);
        await untilLive(page);
        (await stream(meddler)).inject(line);
        await makeMap(scene, "after-the-oddity");
        await until(() => row(page, "after-the-oddity").count(), "the next event arrives");
        await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
    });
}

/** Meddles with the rows of whatever answers for config maps: lists and streams alike. */
function changeRows(meddler, change) {
    const onTable = (table) => {
        for (const row of table.rows ?? []) change(row);
        return table;
    };
    meddler.meddle((exchange) => exchange.lists("configmaps"), { change: (text) => JSON.stringify(onTable(JSON.parse(text))) });
    meddler.meddle((exchange) => exchange.watches("configmaps"), {
        line: (line) => {
            const event = JSON.parse(line);
            if (event.object?.kind === "Table" && event.type !== "BOOKMARK") onTable(event.object);
            return JSON.stringify(event);
        },
    });
}

everywhere("a row with more cells than there are columns is marked, and the others are as ever", async (scene) => {
    const meddler = await scene.meddler();
    const name = `wide-row-${scene.core}`;
    await makeMap(scene, name);
    changeRows(meddler, (row) => row.object.metadata.name === name && row.cells.push("surplus", 7));
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    const { rows } = await readTable(page);
    const marked = rows.find((row) => row.name === name);
    assert.ok(marked, "it is shown");
    assert.ok(marked.faulty, "it is marked");
    assert.match(marked.fault, /5 cells for 3 columns/);
    assert.deepEqual(rows.filter((row) => row.faulty).map((row) => row.name), [name], "and no other is");
    const lists = meddler.exchanges.filter((exchange) => exchange.path.endsWith("/configmaps")).length;
    await makeMap(scene, `${name}-next`);
    await until(() => row(page, `${name}-next`).count(), "the stream goes on");
    const { rows: later } = await readTable(page);
    assert.ok(later.find((row) => row.name === name).faulty, "the mark stays");
    assert.ok(meddler.exchanges.filter((exchange) => exchange.path.endsWith("/configmaps")).length <= lists + 3, "it is not asked for again and again");
});

everywhere("a row with fewer cells than there are columns is marked", async (scene) => {
    const meddler = await scene.meddler();
    const name = `narrow-row-${scene.core}`;
    await makeMap(scene, name);
    changeRows(meddler, (row) => row.object.metadata.name === name && row.cells.pop());
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    const { rows } = await readTable(page);
    assert.deepEqual(rows.filter((row) => row.faulty).map((row) => row.name), [name]);
});

everywhere("an object without metadata is a marked row, and the others are as ever", async (scene) => {
    const meddler = await scene.meddler();
    const name = `headless-${scene.core}`;
    await makeMap(scene, name);
    changeRows(meddler, (row) => row.object?.metadata?.name === name && delete row.object.metadata);
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    const { rows } = await readTable(page);
    const marked = rows.filter((row) => row.faulty);
    assert.equal(marked.length, 1);
    assert.match(marked[0].fault, /no metadata/);
    assert.equal(marked[0].cells[0], name, "its cells are still shown");
    const { rows: kubectl } = { rows: JSON.parse(await scene.cluster.kubectl("get", "configmaps", "-n", "platform", "-o", "json")).items };
    assert.equal(rows.length, kubectl.length);
});

scenario("an object whose metadata is of the wrong type is a marked row", async (scene) => {
    const meddler = await scene.meddler();
    await makeMap(scene, "crooked");
    changeRows(meddler, (row) => {
        if (row.object.metadata.name === "crooked") row.object.metadata.creationTimestamp = { not: "a time" };
    });
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    const { rows } = await readTable(page);
    assert.deepEqual(rows.filter((row) => row.faulty).map((row) => row.cells[0]), ["crooked"]);
});

scenario("a page instead of a list is told in plain words, and mended when the server is", async (scene) => {
    scene.expectOutage();
    const meddler = await scene.meddler();
    const body = "<!doctype html><html><body>Please sign in</body></html>";
    const portal = meddler.meddle(({ path }) => path.endsWith("/configmaps"), { status: 200, body, headers: { "Content-Type": "text/html" } });
    const page = await scene.open(meddler, MAPS);
    const { trouble } = await untilPage(page, ({ trouble }) => trouble, "the page says what is wrong");
    assert.match(trouble.text, /HTML|could not be read|not JSON|<!doctype/i, "the words say what came");
    portal.end();
    await untilLive(page);
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
});

scenario("a page instead of everything, as behind a sign-in, is told in plain words", async (scene) => {
    scene.expectOutage();
    const meddler = await scene.meddler();
    const body = "<!doctype html><html><body>Please sign in</body></html>";
    const portal = meddler.meddle((exchange) => exchange.api, { status: 200, body, headers: { "Content-Type": "text/html" } });
    const page = await scene.open(meddler, MAPS);
    const { trouble } = await untilPage(page, ({ trouble }) => trouble, "the page says what is wrong");
    assert.match(trouble.text, /HTML|could not be read|not JSON|<!doctype/i, "the words say what came");
    portal.end();
    await untilLive(page);
});

everywhere("a server that does not know the person any more says so, and what was shown stays", async (scene) => {
    scene.expectOutage();
    const meddler = await scene.meddler();
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    const { count } = await look(page);
    const expired = meddler.meddle((exchange) => exchange.api, { status: 401, body: status(401, "Unauthorized", "Unauthorized") });
    for (const watch of meddler.watches()) watch.cut();
    const state = await untilPage(page, ({ trouble }) => trouble?.code === "401", "the page says that it is not known");
    assert.equal(state.count, count, "the rows stay");
    expired.end();
    await page.getByRole("button", { name: "Try now" }).click();
    await untilLive(page);
});

everywhere("a list that breaks off in its middle is fetched again, and what was shown stays", async (scene) => {
    scene.expectOutage();
    const meddler = await scene.meddler();
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    const { names } = await look(page);
    const broken = meddler.meddle(({ path }) => path.endsWith("/configmaps"), { cutAfter: 700 });
    // The version is outdated: all has to be fetched anew.
    (await stream(meddler)).inject({ type: "ERROR", object: status(410, "Expired", "too old resource version") });
    (await stream(meddler)).end();
    await until(() => broken.seen >= 2, "it was tried again");
    assert.deepEqual((await look(page)).names, names, "what was shown is still shown");
    await makeMap(scene, `during-the-cuts-${scene.core}`);
    broken.end();
    await untilLive(page);
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
});

everywhere("the first list may break off in its middle", async (scene) => {
    scene.expectOutage();
    const meddler = await scene.meddler();
    meddler.meddle(({ path }) => path.endsWith("/configmaps"), { cutAfter: 900, times: 2 });
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
});

everywhere("a version that is too old leads to a new list, and to no error", async (scene) => {
    const meddler = await scene.meddler();
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    const open = await stream(meddler);
    // What happens between the last event and the new list arrives by the list alone.
    open.inject({ type: "ERROR", object: status(410, "Expired", "too old resource version: 1 (2)") });
    open.end();
    await makeMap(scene, `after-the-gap-${scene.core}`);
    await until(() => row(page, `after-the-gap-${scene.core}`).count(), "the list is followed on");
    await untilLive(page);
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
    assert.deepEqual((await look(page)).banners, []);
});

scenario("an error in the stream that is none of ours is passed over", async (scene) => {
    const meddler = await scene.meddler();
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    const open = await stream(meddler);
    open.inject({ type: "ERROR", object: status(500, "InternalError", "etcdserver: leader changed") });
    open.end();
    await makeMap(scene, "after-the-error");
    await until(() => row(page, "after-the-error").count(), "the watch goes on");
    await untilLive(page);
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
    assert.equal((await readTable(page)).rows.some(({ name }) => name === "" || name === undefined), false, "no status became a row");
});

everywhere("the first rows are there before the list is whole, which is not called live", async (scene) => {
    const meddler = await scene.meddler();
    // A server that never says that its list has ended.
    meddler.meddle((exchange) => exchange.watches("configmaps") && exchange.query.get("sendInitialEvents") === "true", {
        line: (line) => (line.includes("initial-events-end") ? [] : line),
    });
    const page = await scene.open(meddler, MAPS);
    await untilPage(page, ({ names, health }) => names.length > 0 && health === "loading", "there are rows while it loads");
    await untilLive(page);
    assert.ok(meddler.exchanges.some((exchange) => exchange.lists("configmaps")), "a list took over");
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
});

everywhere("a watch that is silent after its headers gives way to a list", async (scene) => {
    const meddler = await scene.meddler();
    const silence = meddler.meddle((exchange) => exchange.watches("configmaps") && exchange.query.get("sendInitialEvents") === "true", { silent: "after" });
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    assert.ok(silence.seen >= 1, "the streamed list was tried");
    assert.ok(meddler.exchanges.some((exchange) => exchange.lists("configmaps")), "and then a list");
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
});

scenario("a server that refuses to stream lists is listed", async (scene) => {
    scene.expectOutage();
    const meddler = await scene.meddler();
    const body = status(422, "Invalid", 'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch');
    meddler.meddle((exchange) => exchange.watch && exchange.query.has("sendInitialEvents"), { status: 422, body });
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
    await makeMap(scene, "listed");
    await until(() => row(page, "listed").count(), "and watched");
});

scenario("a warning of the server is shown, once, and can be put away", async (scene) => {
    const meddler = await scene.meddler();
    const warning = '299 - "configmaps are \\"old\\", <b>use</b> something else"';
    meddler.meddle(({ path }) => path.endsWith("/configmaps"), { addHeaders: { Warning: warning } });
    const page = await scene.open(meddler, MAPS);
    const state = await untilPage(page, ({ notices }) => notices.length > 0, "the warning is shown");
    assert.deepEqual(state.notices, ['configmaps are "old", <b>use</b> something else']);
    await page.locator(".notice .close").click();
    await untilPage(page, ({ notices }) => notices.length === 0, "it is gone");
});

scenario("a server that is slow and busy is waited for", async (scene) => {
    scene.expectOutage();
    const meddler = await scene.meddler();
    const body = status(429, "TooManyRequests", "the server has received too many requests and has asked us to try again later");
    meddler.meddle(({ path }) => path.endsWith("/configmaps"), { status: 429, body, headers: { "Retry-After": "1" }, times: 2 });
    const page = await scene.open(meddler, MAPS);
    await untilLive(page);
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
});
