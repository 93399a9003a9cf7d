// What comes from the cluster is text, whatever it looks like.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { foreignImports } from "./support/module.mjs";
import { everywhere, scenario } from "./support/scenario.mjs";
import { pageFolder } from "./support/settings.mjs";
import { cell, look, readTable, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

const MARKUP = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=2</script><b>bold</b>';

/** Nothing of the cluster has become an element, and nothing of it has run. */
async function assertHarmless(page) {
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined, "nothing ran");
    assert.equal(await page.locator("main img, main script, main b:not(.bricks b):not(#trouble b):not(.edge):not(.marks b), header img, nav img").count(), 0, "nothing became an element");
}

everywhere("markup in an object shows as text", async (scene) => {
    const { cluster, core } = scene;
    const name = `markup-${core}`;
    scene.atEnd(() => cluster.remove("products.catalog.porthole.example", name, "-n", "shop"));
    await cluster.apply({
        apiVersion: "catalog.porthole.example/v1",
        kind: "Product",
        metadata: { name, namespace: "shop", annotations: { "porthole.example/note": MARKUP } },
        spec: { title: MARKUP },
    });
    const page = await scene.open(await scene.proxy(), "products.catalog.porthole.example");
    await untilLive(page);
    await until(async () => (await cell(page, name, "Title")) === MARKUP, "the title is shown as it is");
    await assertHarmless(page);
    assert.match(await cell(page, "markup", "Title"), /^<img src=x/, "so is the demo's");
});

scenario("markup in words of the server shows as text", async (scene) => {
    scene.expectOutage();
    const meddler = await scene.meddler();
    const body = { kind: "Status", apiVersion: "v1", status: "Failure", code: 403, reason: "Forbidden", message: MARKUP };
    const refusal = meddler.meddle(({ path }) => path.endsWith("/configmaps"), { status: 403, body });
    const page = await scene.open(meddler, "configmaps");
    const { trouble } = await untilPage(page, ({ trouble }) => trouble, "the refusal is shown");
    assert.ok(trouble.text.includes(MARKUP));
    await assertHarmless(page);
    refusal.end();
});

scenario("markup in the address shows as text", async (scene) => {
    const page = await scene.open(await scene.proxy(), `${encodeURIComponent(MARKUP)}?namespace=${encodeURIComponent(MARKUP)}&filter=${encodeURIComponent(MARKUP)}`);
    await untilPage(page, ({ trouble }) => trouble, "the page says what is wrong");
    await assertHarmless(page);
});

scenario("markup in names, columns and rows that a server makes up shows as text", async (scene) => {
    const meddler = await scene.meddler();
    meddler.meddle((exchange) => exchange.watches("configmaps"), {
        line: (line) => {
            const event = JSON.parse(line);
            if (event.object.columnDefinitions) {
                event.object.columnDefinitions[1].name = MARKUP;
                event.object.columnDefinitions[1].description = MARKUP;
            }
            for (const row of event.object.rows ?? []) {
                if (event.type === "BOOKMARK" || row.object.metadata.name !== "kube-root-ca.crt") continue;
                row.object.metadata.name = MARKUP;
                row.cells[0] = MARKUP;
            }
            return JSON.stringify(event);
        },
    });
    const page = await scene.open(meddler, "configmaps?namespace=platform");
    await untilLive(page);
    const { headers, rows } = await readTable(page);
    assert.ok(headers.includes(MARKUP));
    assert.ok(rows.some(({ cells, name }) => cells[0] === MARKUP && name === MARKUP));
    await assertHarmless(page);
});

scenario("letters of many scripts, long names and large numbers arrive as they are", async (scene) => {
    const page = await scene.open(await scene.proxy(), "products.catalog.porthole.example");
    await untilLive(page);
    const products = (await scene.cluster.json("get", "products.catalog.porthole.example", "-A")).items;
    const { rows } = await readTable(page);
    for (const { metadata, spec } of products) {
        const row = rows.find(({ name, namespace }) => name === metadata.name && namespace === metadata.namespace);
        assert.equal(row.cells[0], metadata.name);
        if (spec?.title) assert.ok(row.cells.includes(spec.title), `${spec.title} is among ${row.cells}`);
    }
    assert.equal(await cell(page, "teapot", "Sold"), "9007199254740993");
    assert.ok((await look(page)).names.some((name) => name.length === 253));
});

scenario("the page asks for nothing but its own files and the API of its own address", async (scene) => {
    const meddler = await scene.meddler();
    const page = await scene.blank();
    const elsewhere = [];
    page.on("request", (request) => {
        if (!request.url().startsWith(meddler.origin) && !/^(data|blob|about):/.test(request.url())) elsewhere.push(request.url());
    });
    await page.goto(`${meddler.origin}/static/?core=page#/pods`);
    await untilLive(page);
    assert.deepEqual(elsewhere, []);
    assert.deepEqual(meddler.exchanges.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`), [], "and only reads");
});

scenario("the page's module asks for nothing that no browser has", async () => {
    const modules = readdirSync(pageFolder()).filter((name) => name.endsWith(".wasm"));
    assert.equal(modules.length, 1);
    assert.deepEqual(foreignImports(join(pageFolder(), modules[0])), []);
});
