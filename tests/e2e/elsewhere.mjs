// The library in a page or a shared worker whose API server is at another address: one that allows pages of the origin, and one that
// does not; and behind kubectl proxy, at the page's own origin. Takes the module of `page_elsewhere` that `cargo test --no-run` built.

import { X509Certificate, createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { closeBrowser } from "./support/browser.mjs";
import { Cluster } from "./support/cluster.mjs";
import { Proxy } from "./support/proxy.mjs";
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

// Nobody signed the certificate of the control plane but itself. What a page is told to overlook its workers do not, so the browser is
// told to believe this one key.
const key = new X509Certificate(readFileSync(join(dir, "pki", "kube-apiserver.crt"))).publicKey.export({ type: "spki", format: "der" });
const browserArguments = [`--ignore-certificate-errors-spki-list=${createHash("sha256").update(key).digest("base64")}`];

let proxy;
let failed = false;

function report(output, place) {
    const passed = passedTests(output);
    if (!/^test result: ok/m.test(output) || passed.length === 0) {
        console.error(output);
        failed = true;
    } else {
        console.log(`${passed.length} tests of the library passed in ${place}`);
    }
}

try {
    await cluster.kubectl("create", ...identity);
    await cluster.kubectl("create", ...binding, "--clusterrole=cluster-admin", `--serviceaccount=default:${account}`);
    const token = (await cluster.kubectl("create", "token", account, "-n", "default")).trim();
    // The control plane allows pages of its own machine by number, and none by name.
    for (const [host, allowed, place, variable] of [
        ["127.0.0.1", "yes", "a page", "WASM_BINDGEN_USE_BROWSER"],
        ["localhost", "no", "a page", "WASM_BINDGEN_USE_BROWSER"],
        ["127.0.0.1", "yes", "a shared worker", "WASM_BINDGEN_USE_SHARED_WORKER"],
    ]) {
        const told = `server=${server}&token=${token}&allowed=${allowed}`;
        // The server asks for a client's certificate. Chromium shows none, but takes that for decided only after a request of a page;
        // before, it fails what workers ask, and WebSockets.
        const first = `${server}/version`;
        const output = await runWasmTests(file, variable, { host, told, first, browserArguments });
        report(output, `${place} of ${host}, with the API server elsewhere`);
    }
    proxy = await Proxy.start({ kubeconfig: join(dir, "kubeconfig"), folder: import.meta.dirname });
    const own = { told: "server=&token=&allowed=yes", api: proxy.port, browserArguments };
    report(await runWasmTests(file, "WASM_BINDGEN_USE_BROWSER", own), "a page of the origin of kubectl proxy");
} finally {
    await proxy?.stop();
    await cluster.remove(...binding);
    await cluster.remove(...identity);
    await closeBrowser();
}
process.exit(failed ? 1 : 0);
