// The code of what is opened later: it comes by itself, once, and a page without it says so.

import assert from "node:assert/strict";

import { address, everywhere, scenario } from "./support/scenario.mjs";
import { untilLive } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

const isLater = (path) => path.includes("/later/");
const palette = (page) => page.locator("dialog[open] input.field");

everywhere("what is opened later is fetched once, and all of it works", async (scene) => {
    const meddler = await scene.meddler();
    const page = await scene.open(meddler);
    await untilLive(page);
    const asked = () => meddler.exchanges.filter(({ path }) => isLater(path)).length;
    await until(() => asked() === 1, "the code is fetched though nothing was opened");
    await page.keyboard.press(":");
    await until(() => palette(page).isVisible(), "the palette is open");
    assert.equal(await page.locator("dialog").count(), 1);
    await palette(page).fill("deployments");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#\/deployments\.apps/);
    await page.keyboard.press("?");
    await until(() => page.getByRole("dialog", { name: "All keys" }).isVisible(), "the keys are shown");
    await page.keyboard.press("Escape");
    await until(async () => (await page.locator("dialog").count()) === 0, "the keys are closed");
    await page.keyboard.press(",");
    await until(() => page.locator("#settings h1").isVisible(), "the settings are shown");
    await page.locator("[data-option=dark]").click();
    await until(async () => (await page.locator("html").getAttribute("data-theme")) === "dark", "the page is dark");
    await page.keyboard.press("A");
    await until(() => page.locator("#activity #summary").isVisible(), "the activity is shown");
    assert.equal(await page.locator("main").count(), 1);
    assert.equal(asked(), 1);
});

scenario("a new browser can begin with the settings", async (scene) => {
    const page = await scene.open(await scene.proxy(), "-/settings");
    await until(() => page.locator("#settings h1").isVisible(), "the settings are shown");
    assert.equal(await page.locator("main").count(), 1);
});

scenario("a page whose later code cannot be had says so, and takes it when it can be had", async (scene) => {
    scene.expectOutage();
    const page = await scene.blank();
    let refused = 0;
    await page.route("**/later/*", (route) => {
        refused += 1;
        return route.abort();
    });
    await page.goto(address(await scene.proxy(), "pods", scene.core));
    await untilLive(page);
    await until(() => refused === 1, "the page has tried");
    assert.equal(await page.locator(".notice").count(), 0, "nothing was opened, so nothing is said");
    for (const tries of [2, 3]) {
        await page.keyboard.press(":");
        await until(() => page.locator(".notice", { hasText: "could not be loaded" }).isVisible(), "the page says so");
        await until(() => refused === tries, "each time it is opened the page tries again");
        assert.equal(await page.locator("dialog").count(), 0);
        await page.locator(".notice .close").click();
    }
    await page.evaluate(() => (location.hash = "#/-/settings"));
    await until(() => page.locator("#missing").isVisible(), "a page of ours says so in its place");
    await page.unroute("**/later/*");
    await page.locator("#missing button").click();
    await until(() => page.locator("#settings h1").isVisible(), "the settings are shown");
    assert.equal(await page.locator("dialog").count(), 0, "what could not be opened does not open now");
    await page.keyboard.press(":");
    await until(() => palette(page).isVisible(), "the palette is open");
});

scenario("an answer that is not the code is not taken for it", async (scene) => {
    scene.expectOutage();
    const page = await scene.blank();
    await page.route("**/later/*", (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<p>Sign in</p>" }));
    await page.goto(address(await scene.proxy(), "-/activity", scene.core));
    await until(() => page.locator("#missing").isVisible(), "the page says so");
    await page.unroute("**/later/*");
    await page.locator("#missing button").click();
    await until(() => page.locator("#activity #summary").isVisible(), "the activity is shown");
});

scenario("a dialog that was closed before its code came does not open", async (scene) => {
    const page = await scene.blank();
    let pass;
    const passed = new Promise((done) => (pass = done));
    let held = 0;
    await page.route("**/later/*", async (route) => {
        held += 1;
        await passed;
        await route.continue();
    });
    await page.goto(address(await scene.proxy(), "pods", scene.core));
    await untilLive(page);
    await until(() => held === 1, "the code is on its way");
    await page.keyboard.press(":");
    await page.keyboard.press("Escape");
    const came = page.waitForResponse((answer) => isLater(answer.url()));
    pass();
    await (await came).finished();
    await page.keyboard.press("?");
    await until(() => page.getByRole("dialog", { name: "All keys" }).isVisible(), "the keys are shown");
    assert.equal(await page.locator("dialog").count(), 1, "and not what was closed");
});
