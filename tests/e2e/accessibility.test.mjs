// What assistive technology meets: axe finds nothing on any page, with rows, without, and in error, in either theme, and
// with anything open over it; and the whole way to a row goes by the keyboard alone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { address, scenario } from "./support/scenario.mjs";
import { row, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds in the page as it is now; nothing is what it should find. */
export async function axe(page) {
    // The page's policy keeps scripts out that are added to it; this one is run and not added.
    await page.evaluate(AXE);
    const found = await page.evaluate(async () => {
        const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any, all }) => `${id}: ${html.slice(0, 200)} ${[...any, ...all].map(({ message }) => message).join("; ")}`));
    });
    assert.deepEqual(found, []);
}

const settled = (page) => page.waitForTimeout(300);
const inError = (page) => untilPage(page, ({ trouble }) => trouble, "the page says what is wrong");
const shows = (selector) => (page) => page.locator(selector).first().waitFor();

/** Each kind of page, in each state that it can be in. */
const PAGES = [
    ["a table with rows", "pods", untilLive],
    ["a table with rows of every kind of cell", "events", untilLive],
    ["a table without rows", "leases.coordination.k8s.io?namespace=shop", (page) => untilPage(page, ({ nothing }) => nothing, "there is nothing")],
    ["a table of which no row is looked for", "pods?filter=zzyzx", untilLive],
    ["a table with a filter that makes no sense", "pods?filter=nonsense%3E5", shows("#filter-fault")],
    ["a table that may not be read", "pods", inError, { person: "restricted" }],
    ["a table that is not there", "nothings.example.com", inError],
    ["a table with several namespaces, sorted by several columns", "pods?namespace=shop&namespace=payments&sort=Status&sort=-Age&wide", untilLive],
    ["the settings", "-/settings", shows("#settings table")],
    ["the settings of a browser that has stored nothing", "-/settings", async (page) => {
        // What the cluster has is stored when it has answered: before that there is nothing to forget.
        await page.locator("#settings table").waitFor();
        await page.locator("#forget-all").click();
        await page.locator("#nothing-stored").waitFor();
    }],
    ["what the API is asked", "-/activity", shows("#requests td")],
    ["what the API is asked where it does not answer", "-/activity", shows("#summary"), { away: true }],
];

for (const theme of ["dark", "light"]) {
    scenario(`axe finds nothing on any page in the ${theme} theme`, async (scene) => {
        scene.expectOutage();
        const everyone = await scene.proxy();
        const restricted = await scene.proxy({ kubeconfig: scene.cluster.kubeconfigOf("restricted") });
        for (const [what, route, ready, { person, away } = {}] of PAGES) {
            const context = await scene.context({ colorScheme: theme });
            const page = await scene.blank(context);
            if (away) await page.route("**/api*", (request) => request.abort());
            await page.goto(address(person ? restricted : everyone, route, "shared"));
            try {
                await ready(page);
                await settled(page);
                await axe(page);
            } catch (error) {
                error.message = `${what}: ${error.message}`;
                throw error;
            }
            await context.close();
        }
    });

    scenario(`axe finds nothing in what is opened over a page in the ${theme} theme`, async (scene) => {
        const context = await scene.context({ colorScheme: theme });
        const page = await scene.open(await scene.proxy(), "pods?namespace=shop", { context });
        await untilLive(page);
        await page.keyboard.press("j");
        for (const key of [":", "n", "o", "x", "?", "@", "v", "Enter", "d"]) {
            await page.keyboard.press(key);
            await page.locator("dialog[open]").waitFor();
            await settled(page);
            try {
                await axe(page);
            } catch (error) {
                error.message = `after ${key}: ${error.message}`;
                throw error;
            }
            await page.keyboard.press("Escape");
            await page.locator("dialog").waitFor({ state: "detached" });
        }
    });
}

scenario("from opening the page to a filtered, sorted, selected row by the keyboard alone, and the focus is never lost", async (scene) => {
    const page = await scene.open(await scene.proxy(), "services");
    await untilLive(page);
    const focus = () => page.evaluate(() => document.activeElement.className || document.activeElement.id || document.activeElement.tagName);
    assert.equal(await focus(), "grid", "the grid has the focus from the start");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("pods");
    await page.keyboard.press("Enter");
    await untilPage(page, ({ hash, health }) => hash.startsWith("#/pods") && health === "live", "the pods are shown");
    await until(async () => (await focus()) === "grid", "the focus is back in the grid");
    await page.keyboard.press("/");
    await page.keyboard.type("status:running ns:shop");
    await page.keyboard.press("Enter");
    assert.equal(await focus(), "grid");
    await page.keyboard.press("o");
    await page.keyboard.type("restarts");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await until(async () => (await focus()) === "grid", "the focus is back in the grid");
    await page.keyboard.press("j");
    await page.keyboard.press(" ");
    await until(async () => (await page.locator(".tr.picked").count()) === 1, "a row is selected");
    const { hash } = await untilPage(page, ({ hash }) => /sort=-Restarts/.test(hash), "the rows are sorted by restarts, the most first");
    assert.match(hash, /filter=status:running%20ns:shop/);
    const active = await page.evaluate(() => document.getElementById(document.querySelector(".grid").getAttribute("aria-activedescendant"))?.dataset.name);
    const picked = await page.evaluate(() => document.querySelector(".tr.picked").dataset.name);
    assert.equal(active, picked, "a reader hears of the row that the cursor is on");
    const all = await page.evaluate(() => document.querySelector(".grid").getAttribute("aria-rowcount"));
    assert.equal(Number(all) - 1, Number((await page.locator("#count").textContent()).match(/^\d+/)[0]), "and how many there are");
    await row(page, picked).waitFor();
});
