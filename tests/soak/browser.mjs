// Opens the page of the soak and passes on what the program asks of it: a line of JSON in, a line of JSON out. Ends with its input.

import { createInterface } from "node:readline";

import { browser, closeBrowser } from "../e2e/support/browser.mjs";

const [address] = process.argv.slice(2);
if (!address) {
    console.error("usage: node browser.mjs <address of the page>");
    process.exit(2);
}

const { browser: chromium, workers } = await browser();
const page = await chromium.newPage();
const complaints = [];
page.on("pageerror", (error) => complaints.push(String(error)));
page.on("crash", () => complaints.push("the page has crashed"));

const calls = {
    open: async () => {
        await page.goto(address);
        await page.waitForFunction(() => globalThis.soak);
    },
    report: (entries) => page.evaluate((all) => globalThis.soak.report(all), entries),
    suspend: (name, suspended) => page.evaluate(([which, so]) => globalThis.soak.suspend(which, so), [name, suspended]),
    heaps: async () => {
        const session = await page.context().newCDPSession(page);
        await session.send("HeapProfiler.collectGarbage");
        const { usedSize } = await session.send("Runtime.getHeapUsage");
        await session.detach();
        const ofWorkers = await workers.heaps();
        const memories = await page.evaluate(() => globalThis.soak.heaps());
        const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
        return { wasm: sum(memories), scripts: Math.round(sum([usedSize, ...ofWorkers])) };
    },
};

for await (const line of createInterface({ input: process.stdin })) {
    const { call, args } = JSON.parse(line);
    let said;
    try {
        const answer = await calls[call](...args);
        said = complaints.length > 0 ? { error: complaints.join("; ") } : { answer };
    } catch (error) {
        said = { error: [String(error), ...complaints].join("; ") };
    }
    process.stdout.write(`${JSON.stringify(said)}\n`);
}
await closeBrowser();
process.exit(0);
