// Every key and every action of the palette: what the sheet of keys names is done by the key, and by the palette too.

import assert from "node:assert/strict";

import { scenario } from "./support/scenario.mjs";
import { look, row, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

const CLIPBOARD = ["clipboard-read", "clipboard-write"];

const cursor = (page) => page.evaluate(() => document.querySelector(".tr.sel")?.dataset.name);
const picked = (page) => page.evaluate(() => [...document.querySelectorAll(".tr.picked")].map((row) => row.dataset.name));
const dialog = (page) => page.locator("dialog[open]").getAttribute("aria-label");
const said = (page) => page.locator("#said").textContent();
const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());
const root = (page, name) => page.evaluate((name) => document.documentElement.dataset[name], name);
const hash = (page) => page.evaluate(() => location.hash);
const names = async (page) => (await look(page)).names;
const rowOf = async (page, at) => (await page.evaluate(() => [...document.querySelectorAll(".rows > .tr:not(.off)")].sort((a, b) => a.ariaRowIndex - b.ariaRowIndex).map((row) => row.dataset.name))).at(at);

const opens = (label) => async (page) => {
    await until(async () => (await dialog(page)) === label, `"${label}" is open`);
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
};

/** What is to be seen after each action, by its words in the sheet. It begins with the cursor on the second row of `pods?namespace=shop`. */
const EFFECTS = {
    "Next row": async (page) => until(async () => (await cursor(page)) === (await rowOf(page, 2)), "the cursor is on the third row"),
    "Previous row": async (page) => until(async () => (await cursor(page)) === (await rowOf(page, 0)), "the cursor is on the first row"),
    "First row": async (page) => until(async () => (await cursor(page)) === (await rowOf(page, 0)), "the cursor is on the first row"),
    "Last row": async (page) => until(async () => (await cursor(page)) === (await rowOf(page, -1)), "the cursor is on the last row"),
    "One screen down": async (page) => until(async () => (await cursor(page)) === (await rowOf(page, -1)), "the cursor is on the last row, which is less than a screen away"),
    "One screen up": async (page) => until(async () => (await cursor(page)) === (await rowOf(page, 0)), "the cursor is on the first row"),
    "Open the row": opens("Row"),
    "Select the row": async (page) => assert.deepEqual(await picked(page), [await rowOf(page, 1)]),
    "Select downwards": async (page) => until(async () => (await picked(page)).length === 2 && (await cursor(page)) === (await rowOf(page, 2)), "two rows are selected"),
    "Select upwards": async (page) => until(async () => (await picked(page)).length === 2 && (await cursor(page)) === (await rowOf(page, 0)), "two rows are selected"),
    "Select all rows that match": async (page) => until(async () => (await picked(page)).length === (await names(page)).length, "all are selected"),
    "Turn the selection around": async (page) => until(async () => (await picked(page)).length === (await names(page)).length, "all are selected, as none was"),
    "Close, then clear the selection, then the filter": async (page) => until(async () => (await hash(page)) === "#/pods?namespace=shop", "the filter is empty"),
    "Filter the rows": async (page) => assert.equal(await page.evaluate(() => document.activeElement.id), "filter"),
    "Go to anything": opens("Go to anything"),
    "Choose namespaces": opens("Namespaces"),
    "All namespaces": async (page) => until(async () => (await hash(page)) === "#/pods", "all namespaces are shown"),
    "Browse the resources": async (page) => assert.equal(await page.evaluate(() => document.activeElement.id), "find-resource"),
    "Columns and order": opens("Columns and order"),
    "Show all of the server's columns": async (page) => until(async () => /wide/.test(await hash(page)) && (await page.locator(".th [data-name=Node]").count()) === 1, "the wide columns are there"),
    "The server's columns and order again": async (page) => until(async () => !/sort|columns/.test(await hash(page)), "nothing of order and columns is left"),
    "Copy the name": async (page) => until(async () => (await clipboard(page)) === (await rowOf(page, 1)), "the name is in the clipboard"),
    "Copy the kubectl command that shows the same": async (page) => until(async () => (await clipboard(page)) === "kubectl get pods -n shop", "the command is in the clipboard"),
    "Export or copy rows": opens("Export"),
    "Delete": opens("Delete"),
    "Put among the favourites, or take off": async (page) => until(async () => (await page.locator("nav h2").first().textContent()) === "Favourites", "there are favourites"),
    "Save this view": opens("Save this view"),
    "Choose the version": async (page) => until(async () => /one version/.test(await said(page)), "it is said that there is one version alone"),
    "Back": async (page) => until(async () => (await hash(page)) === "#/services?namespace=shop", "the page before is shown"),
    "Forward": async (page) => until(async () => (await hash(page)) === "#/nodes", "the page after is shown"),
    "Ask the server again": async (page) => until(async () => /asked again/.test(await said(page)), "it is said"),
    "This cluster: name, colour, read-only": opens("This cluster"),
    "What the API is asked, and what it costs": async (page) => until(async () => (await hash(page)).startsWith("#/-/activity"), "the page is shown"),
    "Settings": async (page) => until(async () => (await hash(page)).startsWith("#/-/settings"), "the page is shown"),
    "Dark, light, or as the system is": async (page) => until(async () => (await root(page, "theme")) === "dark", "the theme is dark"),
    "Compact or comfortable rows": async (page) => until(async () => (await root(page, "density")) === "comfortable", "the rows are comfortable"),
    "All keys": opens("All keys"),
};

/** Brings the page to where every effect begins. */
async function begin(page, title) {
    const start = "#/pods?namespace=shop";
    await page.evaluate(() => localStorage.clear());
    if (title === "Forward" || title === "Back") {
        await page.keyboard.press("Escape");
        for (const to of ["#/services?namespace=shop", start, "#/nodes"]) {
            await page.evaluate((to) => (location.hash = to), to);
            await untilLive(page);
        }
        await page.goBack();
        await untilPage(page, ({ hash, names }) => hash === start && names.length > 3, "the pods are shown");
    } else {
        const more = { "Close, then clear the selection, then the filter": "&filter=c", "The server's columns and order again": "&sort=Age&columns=Name,Age" }[title] ?? "";
        await page.goto(`${page.url().split("#")[0]}${start}${more}`);
        await page.reload();
    }
    await untilLive(page);
    await page.keyboard.press("g");
    await page.keyboard.press("j");
    await until(async () => (await cursor(page)) === (await rowOf(page, 1)), "the cursor is on the second row");
}

const fromSheet = async (page) => {
    await page.keyboard.press("?");
    await page.locator("dialog .keys").first().waitFor();
    const lines = await page.evaluate(() =>
        [...document.querySelectorAll("dialog .keys:not(.wide) > div")].map((line) => ({
            title: line.querySelector("dd").textContent,
            keys: [...line.querySelectorAll("kbd")].map((key) => key.textContent),
        })),
    );
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    return lines;
};
const PRESSED = { Space: " ", Esc: "Escape", "↓": "ArrowDown", "↑": "ArrowUp", PgDn: "PageDown", PgUp: "PageUp", "Ctrl-k": "Control+k" };

async function prepared(scene) {
    const context = await scene.context({ permissions: CLIPBOARD, colorScheme: "light" });
    const page = await scene.open(await scene.proxy(), "pods?namespace=shop", { context });
    await untilLive(page);
    return page;
}

scenario("every key of the sheet does what the sheet says", async (scene) => {
    const page = await prepared(scene);
    const lines = await fromSheet(page);
    assert.deepEqual(lines.map(({ title }) => title).sort(), Object.keys(EFFECTS).sort(), "each action has a test");
    for (const { title, keys } of lines) {
        for (const key of keys) {
            try {
                await begin(page, title);
                await page.keyboard.press(PRESSED[key] ?? key);
                await EFFECTS[title](page);
            } catch (error) {
                error.message = `${key}, "${title}": ${error.message}`;
                throw error;
            }
        }
    }
}, { timeout: 600_000 });

scenario("every action of the palette does what its key does", async (scene) => {
    const page = await prepared(scene);
    await page.keyboard.press(":");
    await page.locator("dialog .pick").first().waitFor();
    const actions = await page.evaluate(() => [...document.querySelectorAll("dialog [role=group][aria-label=Actions] .title")].map((title) => title.textContent));
    await page.keyboard.press("Escape");
    const without = ["Next row", "Previous row", "First row", "Last row", "One screen down", "One screen up", "Select downwards", "Select upwards",
        "Close, then clear the selection, then the filter", "Go to anything"];
    assert.deepEqual([...actions].sort(), Object.keys(EFFECTS).filter((title) => !without.includes(title)).sort());
    for (const title of actions) {
        try {
            await begin(page, title);
            await page.keyboard.press(":");
            await page.locator("dialog input").fill(title);
            await page.locator(`dialog [role=group][aria-label=Actions] .pick:has(.title:text-is("${title}"))`).first().click();
            await EFFECTS[title](page);
        } catch (error) {
            error.message = `"${title}" of the palette: ${error.message}`;
            throw error;
        }
    }
}, { timeout: 600_000 });

scenario("the palette goes to resources by any of their names, to namespaces, objects, views and places, and knows k9s' commands", async (scene) => {
    const page = await prepared(scene);
    const go = async (text) => {
        await page.keyboard.press("Control+k");
        await page.locator("dialog input").fill(text);
        await until(async () => (await page.locator("dialog .pick").count()) > 0, "there is something to choose");
        await page.keyboard.press("Enter");
        await page.locator("dialog").waitFor({ state: "detached" });
    };
    for (const [text, expected] of [
        ["deploy", "#/deployments.apps?namespace=shop"],
        ["Service", "#/services?namespace=shop"],
        ["cm", "#/configmaps?namespace=shop"],
        ["statefulset", "#/statefulsets.apps?namespace=shop"],
        ["po kube-system", "#/pods?namespace=kube-system"],
        ["pods shop,payments /check", "#/pods?namespace=shop&namespace=payments&filter=check"],
        ["po all app=web", "#/pods?filter=-l%20app%3Dweb"],
        ["payments", "#/pods?namespace=payments&filter=-l%20app%3Dweb"],
    ]) {
        await go(text);
        await until(async () => (await hash(page)) === expected, `"${text}" goes to ${expected}`);
    }
    await go("po shop");
    await untilPage(page, ({ health, names }) => health === "live" && names.some((name) => name.startsWith("checkout")), "the pods are cached");
    const [name] = (await names(page)).filter((name) => name.startsWith("checkout"));
    await page.keyboard.press(":");
    await page.locator("dialog input").fill(name.slice(0, -2));
    await page.locator(`dialog [role=group][aria-label=Objects] .pick`).filter({ hasText: name }).click();
    await untilPage(page, ({ names }) => names.length === 1 && names[0] === name, "the object alone is shown");
});

scenario("objects of kinds that are not cached are found by their name, kind by kind", async (scene) => {
    const { cluster } = scene;
    const name = `needle-${Date.now()}`;
    await cluster.kubectl("create", "serviceaccount", name, "-n", "batch");
    scene.atEnd(() => cluster.remove("serviceaccount", name, "-n", "batch"));
    const page = await prepared(scene);
    await page.keyboard.press(":");
    await page.locator("dialog input").fill(name);
    await page.locator("dialog .pick[data-id=find]").click();
    const found = page.locator("dialog [role=group][aria-label=Objects] .pick").filter({ hasText: "ServiceAccount in batch" });
    await found.click();
    await untilPage(page, ({ hash, names }) => hash.startsWith("#/serviceaccounts?namespace=batch") && names.includes(name), "it is shown");
});

scenario("keys belong to a field while it has the focus, and Escape gives them back", async (scene) => {
    const page = await prepared(scene);
    await page.keyboard.press("/");
    await page.keyboard.type("jkxo?:");
    assert.equal(await page.locator("#filter").inputValue(), "jkxo?:");
    assert.equal(await page.locator("dialog").count(), 0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await opens("All keys")(page);
    await page.keyboard.press("b");
    await page.keyboard.type("secret");
    await page.keyboard.press("Enter");
    await untilPage(page, ({ hash }) => hash === "#/secrets?namespace=shop", "the first that was found is shown");
    assert.equal(await page.evaluate(() => document.activeElement.className), "grid");
    await row(page, (await names(page))[0] ?? "").count();
});
