// Ways to look at a table: sorting, filtering, wide columns, addresses, the keyboard.

import assert from "node:assert/strict";

import { assertSameAsKubectl, kubectlTable } from "./support/kubectl-table.mjs";
import { everywhere, scenario } from "./support/scenario.mjs";
import { byValue, look, readTable, row, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

const heading = (page, name) => page.locator(".th [role=columnheader] button", { hasText: new RegExp(`^\\s*${name}\\b`) });

/** The texts of a column from the first row to the last. */
async function column(page, name) {
    const { headers, rows } = await readTable(page);
    const at = headers.indexOf(name);
    assert.ok(at >= 0, `there is a column ${name} among ${headers}`);
    return rows.map(({ cells }) => cells[at]);
}

const quantity = (text) => {
    const units = { m: 1e-3, k: 1e3, M: 1e6, G: 1e9, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };
    const [, number, unit] = /^([-+.\deE]+?)(Ki|Mi|Gi|Ti|m|k|M|G)?$/.exec(text) ?? [];
    return number === undefined ? undefined : Number(number) * (unit ? units[unit] : 1);
};
const duration = (text) =>
    /^(\d+[smhdy])+$/.test(text)
        ? [...text.matchAll(/(\d+)([smhdy])/g)].reduce((sum, [, number, unit]) => sum + number * { s: 1, m: 60, h: 3600, d: 86_400, y: 31_536_000 }[unit], 0)
        : undefined;
const number = (text) => (text === "" ? undefined : Number(text));
const word = (text) => (text === "" || /^<.*>$/.test(text) ? undefined : text.toLowerCase());
const restarts = (text) => Number.parseInt(text, 10);
const ready = (text) => text.split("/").map(Number)[0];

// Of every kind of column one: how its texts compare.
const SORTS = [
    ["names", "nodes", "Name", word],
    ["namespaces", "pods", "Namespace", word],
    ["ages", "configmaps", "Age", duration],
    ["words for a state", "pods", "Status", word],
    ["counts of counts", "pods", "Ready", ready],
    ["restarts with a time", "pods", "Restarts", restarts],
    ["integers", "products.catalog.porthole.example", "Stock", number],
    ["integers beyond 2^53 and none", "products.catalog.porthole.example", "Sold", number],
    ["fractions", "products.catalog.porthole.example", "Rating", number],
    ["dates", "products.catalog.porthole.example", "Released", duration],
    ["booleans", "products.catalog.porthole.example", "Listed", (text) => (text === "" ? undefined : text === "true" ? 1 : 0)],
    ["quantities", "persistentvolumeclaims", "Capacity", quantity],
    ["times since", "events", "Last Seen", (text) => duration(text.split(" ")[0])],
    ["durations", "jobs.batch", "Duration", duration],
];

for (const [kind, resource, name, value] of SORTS) {
    scenario(`a column of ${kind} sorts by value, and what has none comes last`, async (scene) => {
        const page = await scene.open(await scene.proxy(), resource);
        await untilLive(page);
        await heading(page, name).click();
        await until(async () => (await heading(page, name).textContent()).includes("↑"), "the heading points up");
        for (const [order, arrow] of [["ascending", "↑"], ["descending", "↓"]]) {
            assert.match(await heading(page, name).textContent(), new RegExp(arrow));
            assert.equal(await page.locator(`[role=columnheader][aria-sort=${order}]`).count(), 1);
            // Rows change while they are read; those of an order that is right come out right soon.
            await until(async () => {
                const values = (await column(page, name)).map(value);
                const present = values.filter((value) => value !== undefined);
                const tail = values.slice(present.length);
                assert.ok(tail.every((value) => value === undefined), `what has no value comes last: ${values}`);
                for (let at = 1; at < present.length; at += 1) {
                    const [a, b] = order === "ascending" ? [present[at - 1], present[at]] : [present[at], present[at - 1]];
                    assert.ok(byValue(a, b) <= 0, `${present[at - 1]} before ${present[at]}, ${order}`);
                }
                return present.length > 0 || assert.fail("there are values to sort");
            }, `the order is ${order}`, 20_000);
            await heading(page, name).click();
            if (order === "ascending") await until(async () => (await heading(page, name).textContent()).includes("↓"), "the heading points down");
        }
        await until(async () => !/[↑↓]/.test(await heading(page, name).textContent()), "the third click sorts no more");
    });
}

everywhere("the filter shows the rows that hold all its words, whatever their case", async (scene) => {
    const page = await scene.open(await scene.proxy(), "pods");
    await untilLive(page);
    await page.keyboard.press("/");
    await page.keyboard.type("SHOP store");
    await untilPage(page, ({ count, names }) => /^3 of \d+$/.test(count) && names.length === 3, "three of all are counted and shown");
    const { rows } = await readTable(page);
    const { rows: all } = await kubectlTable(scene.cluster, "pods");
    const expected = [...all.keys()].filter((key) => key.startsWith("shop/storefront-")).map((key) => key.split("/")[1]);
    assert.deepEqual(rows.map(({ name }) => name).sort(), expected.sort());
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await untilPage(page, ({ count }) => /^\d+$/.test(count), "Escape shows all again");
    assert.equal(await page.locator("#filter").inputValue(), "");
});

scenario("a filter that nothing passes says so, and lets in what comes later", async (scene) => {
    const { cluster } = scene;
    await cluster.remove("configmap", "zzyzx", "-n", "platform");
    const page = await scene.open(await scene.proxy(), "configmaps?filter=zzyzx");
    await untilPage(page, ({ count, health }) => /^0 of \d+/.test(count) && health === "live", "no row passes");
    await until(async () => /No row holds these words/.test(await page.locator("main").textContent()), "the page says so");
    scene.atEnd(() => cluster.remove("configmap", "zzyzx", "-n", "platform"));
    await cluster.kubectl("create", "configmap", "zzyzx", "-n", "platform");
    await until(() => row(page, "zzyzx").count(), "the new row passes");
});

scenario("wide columns come and go, and equal kubectl's wide output", async (scene) => {
    const page = await scene.open(await scene.proxy(), "nodes");
    await untilLive(page);
    const narrow = (await readTable(page)).headers;
    await page.keyboard.press("w");
    await until(async () => (await readTable(page)).headers.length > narrow.length, "more columns are shown");
    const { headers, rows } = await readTable(page);
    const printed = (await scene.cluster.kubectl("get", "nodes", "-o", "wide")).split("\n")[0].split(/ {2,}/).map((name) => name.trim());
    assert.deepEqual(headers.map((name) => name.toUpperCase()), printed);
    const address = headers.indexOf("Internal-IP");
    const nodes = (await scene.cluster.json("get", "nodes")).items;
    for (const { name, cells } of rows) {
        const node = nodes.find(({ metadata }) => metadata.name === name);
        assert.equal(cells[address], node.status.addresses.find(({ type }) => type === "InternalIP")?.address ?? "<none>");
    }
    await page.keyboard.press("w");
    await until(async () => (await readTable(page)).headers.length === narrow.length, "they are gone again");
});

everywhere("everything on screen is in the address, and a reload shows the same", async (scene) => {
    const page = await scene.open(await scene.proxy(), "pods?namespace=shop&filter=checkout&sort=-Name&wide");
    await untilLive(page);
    const state = async () => {
        const { headers, rows } = await readTable(page);
        return { headers, names: rows.map(({ name }) => name), hash: (await look(page)).hash, arrow: await heading(page, "Name").textContent() };
    };
    const before = await state();
    assert.equal(before.names.length, 2);
    assert.deepEqual(before.names, [...before.names].sort(byValue).reverse());
    assert.ok(before.headers.includes("Node"), "wide columns are shown");
    await page.reload();
    await untilLive(page);
    assert.deepEqual(await state(), before);
    assert.equal(await page.locator("#filter").inputValue(), "checkout");
    assert.equal((await page.locator("#namespace").textContent()).startsWith("shop"), true);
});

scenario("words with signs of their own survive in the address", async (scene) => {
    const page = await scene.open(await scene.proxy(), "products.catalog.porthole.example");
    await untilLive(page);
    const words = '"a=b & c?#%ü/🦀" 日本語';
    await page.locator("#filter").fill(words);
    await until(async () => (await look(page)).hash.includes("filter="), "the address has it");
    await page.reload();
    await untilLive(page);
    assert.equal(await page.locator("#filter").inputValue(), words);
    await page.locator("#filter").fill("日本語");
    await untilPage(page, ({ names }) => names.length === 1 && names[0] === "unicode", "the row with these words is left");
});

everywhere("back and forward go from table to table", async (scene) => {
    const page = await scene.open(await scene.proxy(), "nodes");
    await untilLive(page);
    await page.locator('nav a[data-resource="deployments.apps"]').click();
    await untilPage(page, ({ hash, health }) => hash.startsWith("#/deployments.apps") && health === "live", "deployments are shown");
    await page.locator('nav a[data-resource="pods"]').click();
    await untilPage(page, ({ hash, health }) => hash.startsWith("#/pods") && health === "live", "pods are shown");
    await page.goBack();
    await untilPage(page, ({ hash, health }) => hash.startsWith("#/deployments.apps") && health === "live", "deployments again");
    await assertSameAsKubectl(page, scene.cluster, "deployments.apps");
    await page.goBack();
    await untilPage(page, ({ hash, health }) => hash.startsWith("#/nodes") && health === "live", "nodes again");
    await assertSameAsKubectl(page, scene.cluster, "nodes");
    await page.goForward();
    await untilPage(page, ({ hash, health }) => hash.startsWith("#/deployments.apps") && health === "live", "and forward");
});

scenario("an address without a resource, or with nonsense in it, shows something", async (scene) => {
    const proxy = await scene.proxy();
    for (const route of ["", "?", "pods?order=sideways&sort=Nothing&unknown=1", "pods?filter=%", "%ff%fe"]) {
        const page = await scene.open(proxy, route);
        const state = await untilPage(page, ({ health, trouble }) => health === "live" || trouble?.code === "404", `${route} shows a table or says what is wrong`);
        assert.equal(state.crash, undefined);
        await page.close();
    }
});

/** The name of the row the cursor is on. */
const cursor = (page) => page.evaluate(() => document.querySelector(".rows > .tr.sel")?.dataset.name);

everywhere("the keyboard moves the cursor from end to end, and the table with it", async (scene) => {
    // Rows that do not move by themselves.
    const page = await scene.open(await scene.proxy(), "clusterroles.rbac.authorization.k8s.io");
    await untilPage(page, ({ hash, health, names }) => hash.includes("clusterroles") && health === "live" && names.length > 20, "many rows are shown");
    const { rows } = await readTable(page);
    const names = rows.map(({ name }) => name);
    await until(() => row(page, names[0]).count(), "the table is at its top again");
    const on = (index, what) => until(async () => (await cursor(page)) === names.at(index), `${what}: the cursor is on ${names.at(index)}`);
    await page.keyboard.press("j");
    await on(0, "j");
    await page.keyboard.press("j");
    await on(1, "j");
    await page.keyboard.press("ArrowDown");
    await on(2, "down");
    await page.keyboard.press("k");
    await on(1, "k");
    await page.keyboard.press("End");
    await on(-1, "End");
    assert.ok(await row(page, names.at(-1)).isVisible(), "the last row is seen");
    await page.keyboard.press("k");
    await on(-2, "k");
    await page.keyboard.press("Home");
    await on(0, "Home");
    assert.ok(await row(page, names[0]).isVisible(), "the first row is seen");
    await page.keyboard.press("PageDown");
    const moved = await until(async () => {
        const at = names.indexOf(await cursor(page));
        return at > 5 && at;
    }, "PageDown goes by a page");
    await page.keyboard.press("PageUp");
    await until(async () => names.indexOf(await cursor(page)) === 0, `PageUp goes back from ${moved}`);
    // At the ends it stays.
    await page.keyboard.press("k");
    await on(0, "k at the top");
});

scenario("the keys b, n and / lead to resources, namespaces and the filter", async (scene) => {
    const page = await scene.open(await scene.proxy(), "pods");
    await untilLive(page);
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.getAttribute("aria-label"));
    await page.keyboard.press("/");
    assert.equal(await focused(), "filter");
    await page.keyboard.press("Escape");
    await page.keyboard.press("b");
    assert.equal(await focused(), "find-resource");
    await page.keyboard.type("warehou");
    await page.keyboard.press("Enter");
    await untilPage(page, ({ hash, health }) => hash.startsWith("#/warehouses.catalog.porthole.example") && health === "live", "the found resource is shown");
    await page.keyboard.press("n");
    await until(async () => (await focused()) === "Namespaces", "the chooser has the focus");
    const options = page.locator("dialog [role=option] .title");
    await until(async () => (await options.allTextContents()).includes("payments"), "the namespaces are offered");
    await page.keyboard.type("shop");
    await page.keyboard.press("Enter");
    await untilPage(page, ({ hash, health }) => hash.includes("namespace=shop") && health === "live", "one namespace is shown");
    await assertSameAsKubectl(page, scene.cluster, "warehouses.catalog.porthole.example", { namespace: "shop" });
    await page.keyboard.press("n");
    await until(async () => (await focused()) === "Namespaces", "the chooser has the focus");
    await page.keyboard.press("Escape");
    await until(async () => (await page.locator("dialog").count()) === 0, "Escape closes it");
});

scenario("a row that is read stays in its place while others come above it", async (scene) => {
    const { cluster } = scene;
    const map = (name) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "batch", labels: { anchor: "yes" } } });
    scene.atEnd(() => cluster.remove("configmap", "-n", "batch", "-l", "anchor=yes"));
    await cluster.apply({ apiVersion: "v1", kind: "List", items: Array.from({ length: 150 }, (_, at) => map(`m-${String(at).padStart(3, "0")}`)) });
    const page = await scene.open(await scene.proxy(), "configmaps?namespace=batch");
    await untilPage(page, ({ count }) => Number(count) >= 150, "all are there");
    await page.locator(".grid").evaluate((grid) => (grid.scrollTop = 80 * 28));
    const place = async () => page.evaluate(() => {
        const grid = document.querySelector(".grid").getBoundingClientRect();
        const found = [...document.querySelectorAll(".rows > .tr:not(.off)")].find((row) => row.dataset.name === "m-085");
        return found && Math.round(found.getBoundingClientRect().top - grid.top);
    });
    const before = await until(place, "the row is in view");
    const { count } = await look(page);
    await cluster.apply({ apiVersion: "v1", kind: "List", items: Array.from({ length: 20 }, (_, at) => map(`a-${at}`)) });
    await untilPage(page, (state) => Number(state.count) >= Number(count) + 20, "twenty more are there");
    await until(async () => {
        const after = await place();
        return after === before || assert.fail(`it is at ${after}`);
    }, `the row is at ${before} as before`, 20_000);
});
