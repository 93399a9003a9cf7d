// Many rows: all of them are there, and few are in the document.

import assert from "node:assert/strict";

import { assertSameAsKubectl } from "./support/kubectl-table.mjs";
import { everywhere } from "./support/scenario.mjs";
import { look, row, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

const PODS = 5000;

everywhere("five thousand pods equal kubectl's from end to end, with at most two hundred rows in the document", async (scene) => {
    const { cluster, core } = scene;
    await cluster.load(PODS);
    // The last of the three leaves the cluster as it was.
    if (core === "page") scene.atEnd(() => cluster.load(0));
    const page = await scene.open(await scene.proxy(), "pods");
    await untilLive(page);
    await untilPage(page, ({ count }) => Number(count.replaceAll(",", "")) >= PODS, "all are counted");
    const { compared, most } = await assertSameAsKubectl(page, cluster, "pods", { limit: 180_000 });
    assert.ok(compared > PODS, `${compared} rows were compared`);
    assert.ok(most <= 200, `${most} row elements`);
    await page.keyboard.press("End");
    const { names } = await look(page);
    assert.ok(names.length <= 200);
    await page.locator("#filter").fill("load-7 load-");
    const state = await untilPage(page, ({ count }) => / of /.test(count), "the filter counts");
    assert.match(state.count, /^[\d,]+ of [\d,]+$/);
    await page.keyboard.press("Escape");
    await page.evaluate(() => (location.hash = "#/pods?sort=Name&order=descending"));
    await until(() => row(page, names[0]).count().then(() => true), "the table is drawn");
}, { timeout: 420_000 });
