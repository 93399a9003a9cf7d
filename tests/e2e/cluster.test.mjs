// Whose cluster this is: a name and a colour by identity, a switch that lets nothing be changed, and a mark that asks twice.

import assert from "node:assert/strict";

import { scenario } from "./support/scenario.mjs";
import { look, row, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

async function form(page) {
    await page.keyboard.press("@");
    await page.locator("#read-only").waitFor();
}
const close = async (page) => {
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
};

async function victim(scene) {
    const name = `victim-${Date.now()}-${Math.floor(Math.random() * 1e6)}`;
    await scene.cluster.kubectl("create", "configmap", name, "-n", "batch");
    scene.atEnd(() => scene.cluster.remove("configmap", name, "-n", "batch"));
    return name;
}
const exists = async (scene, name) => (await scene.cluster.tryKubectl("get", "configmap", name, "-n", "batch")).code === 0;

scenario("a cluster has the name and the colour a person gave it, by its identity and not by its address", async (scene) => {
    const context = await scene.context();
    const proxy = await scene.proxy();
    const page = await scene.open(proxy, "pods", { context });
    await untilLive(page);
    await form(page);
    await page.locator("#cluster-name").fill("prod-eu-1");
    await page.locator("#cluster-name").press("Tab");
    await page.locator("[data-option=violet]").click();
    await close(page);
    await untilPage(page, ({ cluster }) => cluster === "prod-eu-1", "the name is in the header");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.colour), "violet");
    assert.match(await page.title(), /prod-eu-1/);
    await page.reload();
    await untilPage(page, ({ cluster }) => cluster === "prod-eu-1", "and after a reload");
    // Another cluster behind the same address has its own.
    const other = await scene.otherCluster();
    const port = proxy.port;
    await proxy.stop();
    scene.expectOutage();
    await scene.proxy({ kubeconfig: other.kubeconfig, port });
    await untilPage(page, ({ cluster }) => /^cluster [0-9a-f]+$/.test(cluster), "the other cluster has no name");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.colour), "brass");
});

scenario("where a cluster is set to read-only nothing is changed, from any tab", async (scene) => {
    const context = await scene.context();
    const proxy = await scene.proxy();
    const page = await scene.open(proxy, "configmaps?namespace=batch", { context });
    const second = await scene.open(proxy, "configmaps?namespace=batch", { context });
    const name = await victim(scene);
    await untilLive(second);
    await row(second, name).waitFor();
    await form(page);
    await page.locator("#read-only").check();
    await close(page);
    await page.locator("#read-only-mark").waitFor();
    await second.locator("#read-only-mark").waitFor();
    for (const tab of [page, second]) {
        await row(tab, name).click();
        await tab.keyboard.press("d");
        await until(async () => /read-only/.test(await tab.locator("#said").textContent()), "the page says why not");
        assert.equal(await tab.locator("dialog").count(), 0);
    }
    assert.ok(await exists(scene, name));
    await form(page);
    await page.locator("#read-only").uncheck();
    await close(page);
    await row(page, name).click();
    await page.keyboard.press("d");
    await page.locator("#go").click();
    await row(page, name).waitFor({ state: "detached" });
    await until(async () => !(await exists(scene, name)), "it is deleted, where that may be");
});

scenario("a change that is under way when a cluster is set to read-only elsewhere is refused by the core", async (scene) => {
    const context = await scene.context();
    const proxy = await scene.proxy();
    const page = await scene.open(proxy, "configmaps?namespace=batch", { context });
    const second = await scene.open(proxy, "pods", { context });
    const name = await victim(scene);
    await row(page, name).click();
    await page.keyboard.press("d");
    await page.locator("#go").waitFor();
    await form(second);
    await second.locator("#read-only").check();
    await second.locator("#read-only-mark").waitFor();
    await page.locator("#go").click();
    await untilPage(page, ({ notices }) => notices.some((notice) => /read-only/.test(notice)), "the core says that it is read-only");
    assert.ok(await exists(scene, name));
});

scenario("a cluster that is marked as production asks for its name before each change", async (scene) => {
    const page = await scene.open(await scene.proxy(), "configmaps?namespace=batch");
    const name = await victim(scene);
    await untilLive(page);
    await form(page);
    await page.locator("#cluster-name").fill("prod");
    await page.locator("#cluster-name").press("Tab");
    await page.locator("#production").check();
    await close(page);
    await page.locator("#production").waitFor({ state: "attached" });
    await row(page, name).click();
    await page.keyboard.press("d");
    await page.locator("#confirm").waitFor();
    assert.ok(await page.locator("#go").isDisabled());
    await page.locator("#confirm").fill("pro");
    await page.keyboard.press("Enter");
    assert.ok(await exists(scene, name), "half of the name is not enough");
    await page.locator("#confirm").fill("prod");
    await page.keyboard.press("Enter");
    await row(page, name).waitFor({ state: "detached" });
    await until(async () => !(await exists(scene, name)), "with its name it is deleted");
});

scenario("what is set is kept and what is forgotten is gone, and nothing is remembered where nothing is to be", async (scene) => {
    const context = await scene.context({ colorScheme: "light" });
    const page = await scene.open(await scene.proxy(), "-/settings", { context });
    const stored = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("porthole/")).sort());
    await page.locator("[data-option=dark]").click();
    await page.locator("[data-option=comfortable]").click();
    await page.locator("[data-option=utc]").click();
    await page.reload();
    const root = (name) => page.evaluate((name) => document.documentElement.dataset[name], name);
    await until(async () => (await root("theme")) === "dark" && (await root("density")) === "comfortable", "the settings are kept");
    await page.evaluate(() => (location.hash = "#/pods?namespace=shop"));
    await untilLive(page);
    const heights = await page.evaluate(() => [...document.querySelectorAll(".rows > .tr:not(.off)")].map((row) => row.offsetHeight));
    assert.deepEqual([...new Set(heights)], [34]);
    const title = await page.evaluate(() => [...document.querySelectorAll(".rows [role=gridcell]")].map((cell) => cell.title).find((title) => / · /.test(title)));
    assert.match(title, /· \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    await page.evaluate(() => (location.hash = "#/-/settings"));
    await page.locator("#forget-all").click();
    await page.locator("#nothing-stored").waitFor();
    assert.deepEqual(await stored(), []);
    assert.equal(await root("theme"), "system");
    await page.locator("#forgetful").check();
    await page.evaluate(() => (location.hash = "#/pods?namespace=payments"));
    await untilLive(page);
    await page.keyboard.press("w");
    await page.reload();
    await untilLive(page);
    assert.deepEqual(await stored(), ["porthole/preferences"]);
    assert.equal((await look(page)).lastSeen, false);
});
