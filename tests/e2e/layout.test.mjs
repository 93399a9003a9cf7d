// How a table is laid out: columns chosen, moved, widened and added, remembered and in the address; and how it holds still
// while rows come and go.

import assert from "node:assert/strict";

import { scenario } from "./support/scenario.mjs";
import { cell, look, readTable, row, untilLive, untilPage } from "./support/table.mjs";
import { sleep, until } from "./support/wait.mjs";

const headers = (page) => page.evaluate(() => [...document.querySelectorAll(".th [role=columnheader]")].map((heading) => heading.dataset.name));
const width = (page, name) => page.locator(`.th [data-name="${name}"]`).evaluate((heading) => heading.offsetWidth);
const hash = (page) => page.evaluate(() => location.hash);

async function editor(page, ...keys) {
    await page.keyboard.press("o");
    await page.locator("dialog input").waitFor();
    for (const key of keys) await page.keyboard.press(key);
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
}

scenario("columns are hidden, moved, widened and added by keys, remembered for their resource, and in the address", async (scene) => {
    const context = await scene.context();
    const proxy = await scene.proxy();
    const page = await scene.open(proxy, "pods?namespace=shop", { context });
    await untilLive(page);
    assert.deepEqual(await headers(page), ["Name", "Ready", "Status", "Restarts", "Age"]);
    await editor(page, "ArrowDown", " ");
    await until(async () => (await headers(page)).join() === "Name,Status,Restarts,Age", "Ready is hidden");
    await page.keyboard.press("o");
    await page.keyboard.type("restarts");
    await page.keyboard.press("Control+ArrowUp");
    await page.keyboard.press("Control+ArrowRight");
    await page.keyboard.press("Escape");
    await until(async () => (await headers(page)).join() === "Name,Restarts,Status,Age", "Restarts stands before Status");
    await page.keyboard.press("o");
    await page.keyboard.type("app");
    await page.keyboard.press("Enter");
    await page.keyboard.press("o");
    await page.keyboard.type("Image=.spec.containers[*].image");
    await page.keyboard.press("Enter");
    await until(async () => (await headers(page)).join() === "Name,Restarts,Status,app,Image,Age", "a label and a path are columns");
    await untilLive(page);
    const { items } = await scene.cluster.json("get", "pods", "-n", "shop");
    for (const { metadata, spec } of items) {
        await until(async () => {
            assert.equal(await cell(page, metadata.name, "app"), metadata.labels?.app ?? "<none>");
            assert.equal(await cell(page, metadata.name, "Image"), spec.containers.map(({ image }) => image).join(","));
            return true;
        }, `${metadata.name} shows its label and its images`);
    }
    const address = await hash(page);
    const [wide, order] = [await width(page, "Restarts"), await headers(page)];
    await page.evaluate(() => (location.hash = "#/services"));
    await untilLive(page);
    await page.evaluate(() => (location.hash = "#/pods?namespace=shop"));
    await until(async () => (await headers(page)).join() === order.join(), "the same columns again, of the same resource");
    assert.equal(await width(page, "Restarts"), wide);
    const elsewhere = await scene.blank(await scene.context());
    await elsewhere.goto(`${page.url().split("#")[0]}${address}`);
    await until(async () => (await headers(elsewhere)).join() === order.join(), "the address shows the same in a new browser");
    assert.equal(await width(elsewhere, "Restarts"), wide);
    await page.keyboard.press("O");
    await until(async () => (await headers(page)).join() === "Name,Ready,Status,Restarts,Age", "the server's columns again");
});

scenario("a heading is dragged to another place and by its edge to another width, and a press sorts", async (scene) => {
    const page = await scene.open(await scene.proxy(), "pods?namespace=shop");
    await untilLive(page);
    const place = async (name, edge = false) => {
        const box = await page.locator(`.th [data-name="${name}"]`).boundingBox();
        return [box.x + (edge ? box.width - 3 : 20), box.y + box.height / 2];
    };
    const drag = async ([x, y], [toX, toY]) => {
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move((x + toX) / 2, toY, { steps: 3 });
        await page.mouse.move(toX, toY, { steps: 3 });
        await page.mouse.up();
    };
    await drag(await place("Age"), await place("Ready"));
    await until(async () => (await headers(page)).join() === "Name,Age,Ready,Status,Restarts", "Age stands before Ready");
    const before = await width(page, "Status");
    const [x, y] = await place("Status", true);
    await drag([x, y], [x + 60, y]);
    await until(async () => Math.abs((await width(page, "Status")) - before - 60) < 3, "Status is wider by 60 pixels");
    assert.doesNotMatch(await hash(page), /sort=/, "dragging does not sort");
    await page.locator(`.th [data-name=Age] button`).click();
    await until(async () => /sort=Age/.test(await hash(page)), "a press does");
    await page.locator(`.th [data-name=Status] button`).click({ modifiers: ["Shift"] });
    await until(async () => /sort=Age&sort=Status/.test(await hash(page)), "and with Shift by one column more");
});

scenario("a path that makes no sense is said to make none", async (scene) => {
    const page = await scene.open(await scene.proxy(), "pods?columns=Name,X=.spec%5B");
    const { trouble } = await untilPage(page, ({ trouble }) => trouble, "the page says what is wrong");
    assert.match(trouble.text, /the column "X" cannot be shown/);
    await page.keyboard.press("O");
    await untilLive(page);
});

scenario("scroll, selection and order hold through a hundred inserts a second above the window", async (scene) => {
    const { cluster } = scene;
    const map = (name) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "batch", labels: { hold: "yes" } } });
    scene.atEnd(() => cluster.remove("configmap", "-n", "batch", "-l", "hold=yes"));
    const many = (letter, count, from = 0) => cluster.apply({ apiVersion: "v1", kind: "List", items: Array.from({ length: count }, (_, at) => map(`${letter}-${String(from + at).padStart(4, "0")}`)) });
    await many("m", 200);
    const proxy = await scene.proxy();
    const page = await scene.open(proxy, "configmaps?namespace=batch&filter=-l%20hold%3Dyes");
    await untilPage(page, ({ count }) => count === "200", "all are there");
    await page.locator(".grid").evaluate((grid) => (grid.scrollTop = 100 * 28));
    const chosen = ["m-0103", "m-0105", "m-0107"];
    for (const name of chosen) await (row(page, name)).click({ modifiers: ["Control"] });
    const seen = () => page.evaluate(() => {
        const grid = document.querySelector(".grid").getBoundingClientRect();
        const rows = [...document.querySelectorAll(".rows > .tr:not(.off)")].map((row) => [row.dataset.name, Math.round(row.getBoundingClientRect().top - grid.top)]);
        return { top: rows.find(([name]) => name === "m-0105")?.[1], picked: [...document.querySelectorAll(".tr.picked")].map((row) => row.dataset.name).sort() };
    });
    const before = await until(async () => { const now = await seen(); return now.picked.length === 3 && now; }, "three are selected");
    // Whatever the page draws meanwhile is looked at, frame by frame.
    await page.evaluate((wanted) => {
        globalThis.moved = [];
        const look = () => {
            const grid = document.querySelector(".grid").getBoundingClientRect();
            const row = [...document.querySelectorAll(".rows > .tr:not(.off)")].find((row) => row.dataset.name === "m-0105");
            const top = row && Math.round(row.getBoundingClientRect().top - grid.top);
            if (top !== wanted) globalThis.moved.push(top);
            requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    }, before.top);
    const url = `http://127.0.0.1:${proxy.port}/api/v1/namespaces/batch/configmaps`;
    for (let second = 0; second < 3; second += 1) {
        const began = Date.now();
        await Promise.all(Array.from({ length: 100 }, (_, at) => fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(map(`a-${second}-${String(at).padStart(3, "0")}`)) }).then((answer) => assert.equal(answer.status, 201))));
        await sleep(Math.max(0, 1000 - (Date.now() - began)));
    }
    await untilPage(page, ({ count }) => count.startsWith("500"), "three hundred more are there");
    const after = await until(async () => { const now = await seen(); return now.top === before.top && now; }, "the row is where it was");
    assert.deepEqual(after.picked, chosen);
    const moved = await page.evaluate(() => globalThis.moved);
    // The scroll place and the rows come in one frame; one in between is what the browser may draw late.
    assert.ok(moved.length <= 3, `in ${moved.length} frames it was elsewhere: ${moved.slice(0, 10)}`);
    const table = await readTable(page);
    assert.deepEqual(table.rows.map(({ name }) => name), table.rows.map(({ name }) => name).toSorted());
});

scenario("a row that is deleted stays struck for a moment, a new one fades in, and a changed cell flashes", async (scene) => {
    const { cluster } = scene;
    const name = `fleeting-${Date.now()}`;
    const page = await scene.open(await scene.proxy(), "configmaps?namespace=batch");
    await untilLive(page);
    await page.evaluate(() => {
        globalThis.classes = [];
        new MutationObserver((changes) => {
            for (const { target } of changes) {
                const row = target.closest?.(".tr");
                if (row) globalThis.classes.push([row.dataset.name, row.className, target.className]);
            }
        }).observe(document.querySelector(".rows"), { subtree: true, attributes: true, attributeFilter: ["class"] });
    });
    const saw = (find) => until(async () => (await page.evaluate(() => globalThis.classes)).some(([of, row, cell]) => of === name && find(row, cell)), `${find}`);
    await cluster.kubectl("create", "configmap", name, "-n", "batch", "--from-literal=a=1");
    await row(page, name).waitFor();
    await saw((_, cell) => /flash/.test(cell));
    await cluster.kubectl("patch", "configmap", name, "-n", "batch", "--type=merge", "-p", '{"data":{"b":"2"}}');
    await until(async () => (await cell(page, name, "Data")) === "2", "the change is there");
    await cluster.remove("configmap", name, "-n", "batch");
    await saw((row) => /\bgone\b/.test(row));
    await row(page, name).waitFor({ state: "detached" });
    assert.ok(!(await look(page)).names.includes(name));
});
