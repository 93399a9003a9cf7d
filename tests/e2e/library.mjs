// The library's own tests in a browser: once in a page, once in a shared worker. Takes the module that
// `cargo test --no-run` built and the names of the tests that run natively; every neutral test must run in both.
//
// `wasm-bindgen-test-runner` serves the tests; the browser of the other tests visits them, so that no driver is needed.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";

import { browser, closeBrowser } from "./support/browser.mjs";
import { foreignImports } from "./support/module.mjs";
import { until } from "./support/wait.mjs";

/** Tests of these run on one kind of host alone. */
const HOSTS = /^host::/;
const MOST_MINUTES = 10;

const [file, namesFile] = process.argv.slice(2);
if (!file || !namesFile) {
    console.error("usage: node library.mjs <module of tests> <file with the names of the native tests>");
    process.exit(2);
}

let failed = false;
const foreign = foreignImports(file);
if (foreign.length > 0) {
    console.error(`the module asks for what no browser has: ${foreign.join(", ")}`);
    failed = true;
}

const native = readFileSync(namesFile, "utf8")
    .split("\n")
    .filter((line) => line.endsWith(": test"))
    .map((line) => line.slice(0, -": test".length))
    .filter((name) => !HOSTS.test(name));

for (const [place, variable] of [
    ["a page", "WASM_BINDGEN_USE_BROWSER"],
    ["a shared worker", "WASM_BINDGEN_USE_SHARED_WORKER"],
]) {
    const output = await runIn(variable);
    const passed = new Set([...output.matchAll(/^test (\S+) \.\.\. ok$/gm)].map(([, name]) => name));
    const missing = native.filter((name) => !passed.has(name));
    if (!/^test result: ok/m.test(output) || missing.length > 0) {
        console.error(output.replace(/^test \S+ \.\.\. ok\n/gm, ""));
        if (missing.length > 0) console.error(`these tests did not pass in ${place}: ${missing.slice(0, 20).join(", ")}${missing.length > 20 ? " and others" : ""}`);
        failed = true;
    } else {
        console.log(`${passed.size} tests of the library passed in ${place}`);
    }
}
await closeBrowser();
process.exit(failed ? 1 : 0);

/** What the tests print where `variable` says they run. */
async function runIn(variable) {
    const address = `127.0.0.1:${await freePort()}`;
    const server = spawn("wasm-bindgen-test-runner", [file], {
        env: { ...process.env, [variable]: "1", NO_HEADLESS: "1", WASM_BINDGEN_TEST_ADDRESS: address },
        stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk) => (said += chunk));
    try {
        const ready = async () => {
            if (server.exitCode !== null) throw new Error(`the server of the tests ended: ${said}`);
            return (await fetch(`http://${address}/`)).ok;
        };
        await until(ready, "the server of the tests", MOST_MINUTES * 60_000);
        const { browser: chromium } = await browser();
        const page = await chromium.newPage();
        const complaints = [];
        page.on("pageerror", (error) => complaints.push(error.message));
        await page.goto(`http://${address}/`);
        const text = () => page.locator("#output").textContent();
        const finished = async () => /^test result: /m.test(await text()) || complaints.length > 0;
        await until(finished, "the end of the tests", MOST_MINUTES * 60_000);
        const output = await text();
        await page.close();
        return [output, ...complaints].join("\n");
    } finally {
        server.kill("SIGTERM");
    }
}

/** A port that nobody listens on. */
function freePort() {
    return new Promise((resolve, reject) => {
        const probe = createServer();
        probe.on("error", reject);
        probe.listen(0, "127.0.0.1", () => {
            const { port } = probe.address();
            probe.close(() => resolve(port));
        });
    });
}
