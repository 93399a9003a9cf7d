// The library's own tests in a browser: once in a page, once in a shared worker. Takes the module that
// `cargo test --no-run` built and the names of the tests that run natively; every neutral test must run in both.

import { readFileSync } from "node:fs";

import { closeBrowser } from "./support/browser.mjs";
import { foreignImports } from "./support/module.mjs";
import { passedTests, runWasmTests } from "./support/wasm-tests.mjs";

/** These run on one kind of host alone: those of a host, those of threads and of panics that do not end the program, and the model. */
const NATIVE = /^host::|^informer::model::|::(read_back|speed)::|::(panics|threads)::|^store::shared::tests::|_of_two_threads$|_that_panics_/;

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
    .filter((name) => !NATIVE.test(name));

for (const [place, variable] of [
    ["a page", "WASM_BINDGEN_USE_BROWSER"],
    ["a shared worker", "WASM_BINDGEN_USE_SHARED_WORKER"],
]) {
    const output = await runWasmTests(file, variable);
    const passed = new Set(passedTests(output));
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
