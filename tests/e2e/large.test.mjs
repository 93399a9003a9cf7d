// Many rows: all of them are there, and few are in the document.

import assert from "node:assert/strict";

import { assertSameAsKubectl } from "./support/kubectl-table.mjs";
import { everywhere } from "./support/scenario.mjs";
import { byValue, readTable, untilLive, untilPage } from "./support/table.mjs";

const PODS = 5000;

everywhere("five thousand pods equal kubectl's from end to end, with at most two hundred rows in the document", async (scene) => {
    const { cluster, core } = scene;
    await cluster.load(PODS);
    // The last of the three leaves the cluster as it was.
    if (core === "page") scene.atEnd(() => cluster.load(0));
    const page = await scene.open(await scene.proxy(), "pods");
    await untilLive(page);
    await untilPage(page, ({ count }) => Number(count.replaceAll(",", "")) >= PODS, "all are counted");
    const { compared, most } = await assertSameAsKubectl(page, cluster, "pods", { limit: 180_000, only: (key) => key.startsWith("load-") });
    assert.ok(compared >= PODS, `${compared} rows were compared`);
    assert.ok(most <= 200, `${most} row elements`);
    await page.locator("#filter").fill("load-7");
    await untilPage(page, ({ count }) => count.startsWith("500 of 5,"), "the filter finds a tenth of them");
    await page.keyboard.press("Escape");
    await page.evaluate(() => (location.hash = "#/pods?sort=-Name"));
    await untilPage(page, ({ count }) => /^5,\d+$/.test(count), "all are there again");
    const { rows } = await readTable(page);
    const names = rows.map(({ name }) => name).filter((name) => name.startsWith("load-"));
    assert.deepEqual(names, [...names].sort(byValue).reverse(), "sorted from end to end");
}, { timeout: 420_000 });
