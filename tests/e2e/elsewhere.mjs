// The library in a page whose API server is at another address: one that allows pages of the origin, and one that does not.
// Takes the module of `page_elsewhere` that `cargo test --no-run` built.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { closeBrowser } from "./support/browser.mjs";
import { Cluster } from "./support/cluster.mjs";
import { passedTests, runWasmTests } from "./support/wasm-tests.mjs";

const [file] = process.argv.slice(2);
const { PORTHOLE_TEST_CLUSTER_DIR: dir } = process.env;
if (!file || !dir) {
    console.error("usage: PORTHOLE_TEST_CLUSTER_DIR=<folder of a control plane> node elsewhere.mjs <module of tests>");
    process.exit(2);
}

const cluster = new Cluster(dir);
const { server } = JSON.parse(readFileSync(join(dir, "state.json"), "utf8"));
const account = "page-elsewhere";
const binding = ["clusterrolebinding", account];
const identity = ["serviceaccount", account, "-n", "default"];

let failed = false;
try {
    await cluster.kubectl("create", ...identity);
    await cluster.kubectl("create", ...binding, "--clusterrole=cluster-admin", `--serviceaccount=default:${account}`);
    const token = (await cluster.kubectl("create", "token", account, "-n", "default")).trim();
    // The control plane allows pages of its own machine by number, and none by name.
    for (const [host, allowed] of [
        ["127.0.0.1", "yes"],
        ["localhost", "no"],
    ]) {
        const hash = `#server=${server}&token=${token}&allowed=${allowed}`;
        // Nobody signed the certificate of the control plane but itself.
        const output = await runWasmTests(file, "WASM_BINDGEN_USE_BROWSER", { host, hash, options: { ignoreHTTPSErrors: true } });
        const passed = passedTests(output);
        if (!/^test result: ok/m.test(output) || passed.length === 0) {
            console.error(output);
            failed = true;
        } else {
            console.log(`${passed.length} tests of the library passed in a page of ${host}, with the API server elsewhere`);
        }
    }
} finally {
    await cluster.remove(...binding);
    await cluster.remove(...identity);
    await closeBrowser();
}
process.exit(failed ? 1 : 0);
