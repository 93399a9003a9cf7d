// Tests of the library that run in a browser. `wasm-bindgen-test-runner` serves them; the browser of the other tests visits them,
// so that no driver is needed.

import { spawn } from "node:child_process";
import { createServer } from "node:net";

import { browser } from "./browser.mjs";
import { startFront } from "./front.mjs";
import { until } from "./wait.mjs";

const MOST_MINUTES = 10;

/**
 * What the tests in the module `file` print. `variable` says where they run; `host` is the name by which the page is opened.
 * They are told `told` on the channel of that name, again and again, once the page has asked for the address `first`;
 * `api` is the port of an API server that their origin is to have; `browserArguments` are for the browser.
 */
export async function runWasmTests(file, variable, { host = "127.0.0.1", told, first, api, browserArguments = [] } = {}) {
    const port = await freePort();
    const server = spawn("wasm-bindgen-test-runner", [file], {
        env: { ...process.env, [variable]: "1", NO_HEADLESS: "1", WASM_BINDGEN_TEST_ADDRESS: `127.0.0.1:${port}` },
        stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    let front;
    for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk) => (said += chunk));
    try {
        const ready = async () => {
            if (server.exitCode !== null) throw new Error(`the server of the tests ended: ${said}`);
            return (await fetch(`http://127.0.0.1:${port}/`)).ok;
        };
        await until(ready, "the server of the tests", MOST_MINUTES * 60_000);
        const { browser: chromium } = await browser(browserArguments);
        const context = await chromium.newContext();
        const page = await context.newPage();
        const complaints = [];
        page.on("pageerror", (error) => complaints.push(error.message));
        if (told) await page.addInitScript(tell, { told, first });
        if (api) front = await startFront({ api, rest: port });
        await page.goto(`http://${host}:${front?.port ?? port}/`);
        const text = () => page.locator("#output").textContent();
        const finished = async () => /^test result: /m.test(await text()) || complaints.length > 0;
        await until(finished, "the end of the tests", MOST_MINUTES * 60_000);
        const output = await text();
        await context.close();
        return [output, ...complaints].join("\n");
    } finally {
        front?.close();
        server.kill("SIGTERM");
    }
}

/** Runs in the page. */
async function tell({ told, first }) {
    // What becomes of it is for the tests to find out.
    if (first) await fetch(first, { mode: "no-cors" }).catch(() => {});
    const channel = new BroadcastChannel("told");
    setInterval(() => channel.postMessage(told), 100);
}

/** The names of the tests that passed. */
export const passedTests = (output) => [...output.matchAll(/^test (\S+) \.\.\. ok$/gm)].map(([, name]) => name);

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
