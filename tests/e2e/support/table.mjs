// What the page shows: its table from end to end, and what stands around it.

import assert from "node:assert/strict";

import { until } from "./wait.mjs";

const MOST_ROWS = 200;

/** Scrolls the table from its first row to its last and collects every row. */
export async function readTable(page, { limit } = {}) {
    return until(async () => {
        const table = await page.evaluate(scrollThrough);
        assert.ok(table.most <= MOST_ROWS, `${table.most} row elements are in the document`);
        return table.whole && table;
    }, "the whole table could be read", limit);
}

/** In the page: reads the rows step by step, each step when its rows are there. */
async function scrollThrough() {
    const grid = document.querySelector(".grid");
    const HEIGHT = 28;
    const rows = new Map();
    let most = 0;
    const look = () => {
        const elements = document.querySelectorAll(".rows > .tr");
        most = Math.max(most, elements.length);
        return [...elements].filter((element) => !element.classList.contains("off"));
    };
    const frame = () => new Promise((done) => setTimeout(done, 8));
    const before = grid.scrollTop;
    const count = () => Number(grid.getAttribute("aria-rowcount")) - 1;
    const seen = grid.clientHeight - HEIGHT;
    const step = Math.max(HEIGHT, seen - 2 * HEIGHT);
    for (let top = 0; ; top += step) {
        grid.scrollTop = top;
        const end = performance.now() + 10_000;
        for (;;) {
            await frame();
            const present = new Map(look().map((element) => [Number(element.getAttribute("aria-rowindex")) - 2, element]));
            const first = Math.floor(grid.scrollTop / HEIGHT);
            const last = Math.min(count(), Math.ceil((grid.scrollTop + seen) / HEIGHT));
            let complete = true;
            for (let index = first; index < last; index += 1) complete &&= present.has(index);
            if (complete) {
                for (const [index, element] of present) {
                    const cells = [...element.querySelectorAll("[role=gridcell]")].map((cell) => cell.textContent);
                    rows.set(element.dataset.row, {
                        id: element.dataset.row,
                        name: element.dataset.name,
                        namespace: element.dataset.namespace,
                        index,
                        cells,
                        faulty: element.classList.contains("faulty"),
                        fault: element.querySelector(".mark")?.title ?? "",
                    });
                }
                break;
            }
            if (performance.now() > end) return { whole: false, most, reason: `rows ${first} to ${last} did not come` };
        }
        if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) break;
    }
    grid.scrollTop = before;
    // Without what the heading says of its order.
    const headers = [...document.querySelectorAll(".th [role=columnheader] button")].map((button) => {
        const copy = button.cloneNode(true);
        copy.querySelector(".dir")?.remove();
        return copy.textContent.trim();
    });
    const list = [...rows.values()].sort((a, b) => a.index - b.index);
    // Rows that went while others were read are in the list too: it has to be read again then.
    return { whole: list.length === count(), most, headers, rows: list, reason: `${list.length} of ${count()} rows` };
}

/** What the page says around its table. */
export async function look(page) {
    return page.evaluate(() => {
        const text = (selector) => document.querySelector(selector)?.textContent.trim();
        const trouble = document.querySelector("#trouble");
        return {
            health: text("#health .state"),
            healthTitle: document.querySelector("#health")?.title,
            count: text("#count"),
            trouble: trouble && { code: trouble.dataset.code, panel: trouble.classList.contains("panel"), text: trouble.textContent },
            banners: [...document.querySelectorAll(".banner")].map((banner) => banner.textContent),
            panel: text("main .panel"),
            nothing: text("#nothing"),
            notices: [...document.querySelectorAll(".notice span")].map((notice) => notice.textContent),
            lastSeen: document.querySelector("#last-seen") !== null,
            oldNav: document.querySelector("nav .sections.old") !== null,
            nav: [...document.querySelectorAll("nav a[data-resource]")].map((link) => link.dataset.resource),
            unavailable: [...document.querySelectorAll("nav h2")].filter((title) => title.querySelector("em")).map((title) => title.querySelector("span").textContent),
            cluster: text(".cluster-name"),
            placement: text("footer .e"),
            hash: location.hash,
            names: [...document.querySelectorAll(".rows > .tr:not(.off)")].map((row) => row.dataset.name),
            crash: text("#crash"),
        };
    });
}

/** Waits until what the page says passes. */
export async function untilPage(page, condition, what, limit) {
    return until(async () => {
        const state = await look(page);
        if (condition(state)) return state;
        const { nav, names, ...rest } = state;
        throw new Error(JSON.stringify({ ...rest, nav: nav.length, names: names.length }));
    }, what, limit);
}

/** Waits until the table is live, and gives back what the page says. */
export const untilLive = (page, limit) => untilPage(page, ({ health }) => health === "live", "the table is live", limit);

/** The row element of an object. */
export const row = (page, name, namespace) =>
    page.locator(`.rows > .tr:not(.off)[data-name="${name}"]${namespace === undefined ? "" : `[data-namespace="${namespace}"]`}`);

/** The text of a cell in view, or nothing where row or column are not there. */
export async function cell(page, name, header) {
    return page.evaluate(
        ([name, header]) => {
            const titles = [...document.querySelectorAll(".th [role=columnheader] button")];
            const at = titles.findIndex((button) => button.firstChild.textContent.trim() === header);
            const rows = [...document.querySelectorAll(".rows > .tr:not(.off)")];
            return rows.find((row) => row.dataset.name === name)?.querySelectorAll("[role=gridcell]")[at]?.textContent;
        },
        [name, header],
    );
}

/** Writes down every word of the chip from here on: some last for less time than it takes to look. Gives back what reads them. */
export async function keepHealth(page) {
    await page.evaluate(() => {
        const chip = document.querySelector("#health .state");
        globalThis.healthSeen = [chip.textContent];
        new MutationObserver(() => globalThis.healthSeen.push(chip.textContent)).observe(chip, { subtree: true, childList: true, characterData: true });
    });
    return () => page.evaluate(() => globalThis.healthSeen);
}

/** The order of a sorted column: numbers by size, texts by letters whatever their case, with the numbers in them by size. */
export function byValue(a, b) {
    const [left, right] = [a, b].map((value) => (typeof value === "number" ? value : padded(value)));
    return left < right ? -1 : Number(left > right);
}

const padded = (text) => text.toLowerCase().replaceAll(/\d+/g, (digits) => digits.padStart(12, "0"));
