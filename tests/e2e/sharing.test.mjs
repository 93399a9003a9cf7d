// Tabs share one core, and one core shares six connections.

import assert from "node:assert/strict";

import { assertSameAsKubectl } from "./support/kubectl-table.mjs";
import { scenario } from "./support/scenario.mjs";
import { look, row, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

/** Connections that a browser keeps to one host. */
const CONNECTIONS = 6;

scenario("two tabs of one table share one stream, which ends with the last of them", async (scene) => {
    const { cluster } = scene;
    const [meddler, context] = [await scene.meddler(), await scene.context()];
    const first = await scene.open(meddler, "configmaps?namespace=platform", { context });
    await untilLive(first);
    const second = await scene.open(meddler, "configmaps?namespace=platform", { context });
    await untilLive(second);
    const watches = () => meddler.exchanges.filter((exchange) => exchange.watches("configmaps"));
    assert.equal(watches().length, 1, "one watch was opened");
    assert.equal((await (await scene.workers()).list()).length, 1, "one shared worker runs");

    scene.atEnd(() => cluster.remove("configmap", "for-both", "for-one", "-n", "platform"));
    await cluster.kubectl("create", "configmap", "for-both", "-n", "platform");
    for (const page of [first, second]) await until(() => row(page, "for-both").count(), "both show what is new");

    await first.close();
    await cluster.kubectl("create", "configmap", "for-one", "-n", "platform");
    await until(() => row(second, "for-one").count(), "the tab that is left goes on");
    assert.equal((await look(second)).health, "live");
    assert.equal(watches().length, 1, "by the same watch");
    await second.close();
    await until(() => meddler.watches().length === 0, "the stream ends with the last tab");
});

scenario("two tabs of different tables have a stream each", async (scene) => {
    const [meddler, context] = [await scene.meddler(), await scene.context()];
    const pods = await scene.open(meddler, "pods?namespace=shop", { context });
    const nodes = await scene.open(meddler, "nodes", { context });
    await untilLive(pods);
    await untilLive(nodes);
    assert.deepEqual([meddler.watches("pods").length, meddler.watches("nodes").length], [1, 1]);
    await assertSameAsKubectl(pods, scene.cluster, "pods", { namespace: "shop" });
    await assertSameAsKubectl(nodes, scene.cluster, "nodes");
});

scenario("two tabs of one table sort and filter each for itself", async (scene) => {
    const [meddler, context] = [await scene.meddler(), await scene.context()];
    const up = await scene.open(meddler, "nodes?sort=Name", { context });
    const down = await scene.open(meddler, "nodes?sort=-Name&filter=node-", { context });
    await untilLive(up);
    await untilLive(down);
    const names = async (page) => (await look(page)).names;
    const order = async (page) => page.evaluate(() => [...document.querySelectorAll(".rows > .tr:not(.off)")].sort((a, b) => a.ariaRowIndex - b.ariaRowIndex).map((row) => row.dataset.name));
    assert.equal((await names(up)).length, (await names(down)).length);
    assert.deepEqual(await order(up), (await order(down)).reverse());
    assert.equal(meddler.exchanges.filter((exchange) => exchange.watches("nodes")).length, 1);
});

scenario("a tab that is loaded anew goes on with the core of the others", async (scene) => {
    const [meddler, context] = [await scene.meddler(), await scene.context()];
    const stays = await scene.open(meddler, "nodes", { context });
    await untilLive(stays);
    const again = await scene.open(meddler, "nodes", { context });
    await untilLive(again);
    for (let time = 0; time < 3; time += 1) {
        await again.reload();
        await untilLive(again);
        assert.match((await look(again)).placement, /shared by all tabs/);
    }
    assert.equal(meddler.exchanges.filter((exchange) => exchange.watches("nodes")).length, 1);
});

scenario("the only tab may be loaded anew again and again", async (scene) => {
    const page = await scene.open(await scene.proxy(), "nodes");
    await untilLive(page);
    for (let time = 0; time < 8; time += 1) {
        await page.reload();
        await untilLive(page);
        assert.match((await look(page)).placement, /shared by all tabs/);
    }
});

/** Says to a page that it is hidden or seen: what a browser without windows never does by itself. */
const setHidden = (page, hidden) =>
    page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (hidden ? "hidden" : "visible") });
        document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);

const TABLES = ["pods", "nodes", "services", "configmaps", "deployments.apps", "events"];

scenario("more tables than connections: every request is answered, and who has to wait says so", async (scene) => {
    const { cluster } = scene;
    const [meddler, context] = [await scene.meddler(), await scene.context()];
    const pages = [];
    for (const table of TABLES) {
        const page = await scene.open(meddler, table, { context });
        await untilPage(page, ({ health }) => health === "live" || health === "waiting", `${table} is live or waits`);
        pages.push(page);
    }
    const health = async () => Promise.all(pages.map(async (page) => (await look(page)).health));
    const waiting = async () => (await health()).filter((word) => word === "waiting").length;
    assert.ok((await waiting()) >= 1, "someone has to wait");
    assert.ok((await waiting()) <= 2, "four have a stream");
    assert.ok(meddler.watches().length < CONNECTIONS, `${meddler.watches().length} streams are open`);
    const last = pages.at(-1);
    assert.match((await look(last)).panel, /connections are taken/i);
    // What is no stream still gets through: a file of the page, and the API.
    for (const path of ["/static/index.html", "/version", "/api/v1/namespaces/shop"]) {
        const status = await last.evaluate(async (path) => (await fetch(path)).status, path);
        assert.equal(status, 200, `${path} is answered`);
    }
    // A tab that is closed leaves its stream to one that waits.
    await pages.shift().close();
    await until(async () => (await waiting()) <= 1, "one more has a stream");
    await pages.shift().close();
    await until(async () => (await waiting()) === 0, "all have a stream");
    for (const [at, page] of pages.entries()) await assertSameAsKubectl(page, cluster, TABLES[at + 2]);
});

scenario("a tab that nobody sees gives its stream to one that is seen, and gets one when it is seen again", async (scene) => {
    const [meddler, context] = [await scene.meddler(), await scene.context()];
    const pages = [];
    for (const table of TABLES.slice(0, 4)) {
        const page = await scene.open(meddler, table, { context });
        await untilLive(page);
        await setHidden(page, true);
        pages.push(page);
    }
    const seen = await scene.open(meddler, "deployments.apps", { context });
    await untilLive(seen);
    await assertSameAsKubectl(seen, scene.cluster, "deployments.apps");
    assert.ok(meddler.watches().length < CONNECTIONS);
    await setHidden(seen, true);
    for (const [at, page] of pages.entries()) {
        await setHidden(page, false);
        await untilLive(page);
        await assertSameAsKubectl(page, scene.cluster, TABLES[at]);
        await setHidden(page, true);
    }
});

scenario("a tab that was hidden shows what happened meanwhile when it is seen again", async (scene) => {
    const { cluster } = scene;
    const page = await scene.open(await scene.proxy(), "configmaps?namespace=platform");
    await untilLive(page);
    scene.atEnd(() => cluster.remove("configmap", "while-hidden", "-n", "platform"));
    await setHidden(page, true);
    await cluster.kubectl("create", "configmap", "while-hidden", "-n", "platform");
    await setHidden(page, false);
    await until(() => row(page, "while-hidden").count(), "the row is there");
    await assertSameAsKubectl(page, cluster, "configmaps", { namespace: "platform" });
});
