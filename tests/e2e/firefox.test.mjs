// The page in Firefox: it starts, shows its rows live, is filtered and sorted by keys, and opens what is opened later.

import assert from "node:assert/strict";

import { sharedCluster } from "./support/cluster.mjs";
import { FIREFOX, Firefox } from "./support/firefox.mjs";
import { address, scenario } from "./support/scenario.mjs";
import { until } from "./support/wait.mjs";

const NAMES = `return [...document.querySelectorAll(".rows > .tr:not(.off)")].map((row) => row.dataset.name)`;
const text = (selector) => `return document.querySelector(${JSON.stringify(selector)})?.textContent.trim() ?? ""`;
const ENTER = "\uE007";
const ESCAPE = "\uE00C";

scenario("Firefox shows the page, follows its rows, and knows its keys", async (scene) => {
    assert.ok(FIREFOX, "there is no Firefox: install firefox-esr, or name one in FIREFOX");
    const cluster = await sharedCluster();
    const proxy = await scene.proxy();
    const firefox = await Firefox.start();
    scene.atEnd(() => firefox.stop());
    await firefox.open(address(proxy, "pods?namespace=shop", "shared"));
    await until(async () => (await firefox.run(text("#health .state"))) === "live", "the table is live");
    const expected = await cluster.json("get", "pods", "-n", "shop");
    await until(async () => {
        const shown = await firefox.run(NAMES);
        assert.deepEqual([...shown].sort(), expected.items.map(({ metadata }) => metadata.name).sort());
        return true;
    }, "the rows are those of kubectl");

    const name = `firefox-${Date.now()}`;
    await cluster.kubectl("create", "configmap", name, "-n", "shop");
    scene.atEnd(() => cluster.kubectl("delete", "configmap", name, "-n", "shop"));
    await firefox.press(":");
    await until(async () => (await firefox.run(`return document.querySelectorAll("dialog .pick").length`)) > 3, "the palette is open");
    await firefox.press(..."cm shop", ENTER);
    await until(async () => (await firefox.run(NAMES)).includes(name), "the palette went to the config maps, and the new one is there");
    await firefox.press("/", ..."firefox-");
    await until(async () => (await firefox.run(NAMES)).every((shown) => shown.startsWith("firefox-")), "the filter filters");
    await firefox.press(ENTER, "j");
    await until(async () => (await firefox.run(`return document.querySelector(".tr.sel")?.dataset.name`)) === name, "the cursor is on it");
    await firefox.press(ESCAPE);
    await until(async () => (await firefox.run(`return document.querySelector("#filter").value`)) === "", "Escape clears the filter");
    await firefox.press("?");
    await until(async () => /All keys/.test(await firefox.run(text("dialog"))), "the sheet of keys is open");
});
