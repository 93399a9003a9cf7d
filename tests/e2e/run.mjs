// Runs the tests on one control plane, which ends with them. `npm test -- tables` runs the files whose names hold
// that word.

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { Cluster } from "./support/cluster.mjs";
import { HERE, copyOfPage } from "./support/settings.mjs";

const words = process.argv.slice(2);
const files = readdirSync(HERE)
    .filter((name) => name.endsWith(".test.mjs") && (words.length === 0 || words.some((word) => name.includes(word))))
    .sort()
    .map((name) => join(HERE, name));
if (files.length === 0) {
    console.error(`no test file has a name with ${words.join(" or ")}`);
    process.exit(2);
}

const environment = { ...process.env, PORTHOLE_TEST_PAGE: copyOfPage() };
let cluster;
if (!environment.PORTHOLE_TEST_CLUSTER_DIR) {
    console.log("starting a control plane with the demo load");
    cluster = await Cluster.up("--demo", "--nodes", "5", "--logs");
    environment.PORTHOLE_TEST_CLUSTER_DIR = cluster.dir;
}

// A group of its own: whoever interrupts the run ends the tests with all that they started.
const tests = spawn(process.execPath, ["--test", "--test-concurrency=1", "--test-reporter=spec", ...files], {
    env: environment,
    stdio: "inherit",
    detached: true,
});
const end = (signal) => {
    try {
        process.kill(-tests.pid, signal);
    } catch (error) {
        if (error.code !== "ESRCH") throw error;
    }
};
for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
        end("SIGTERM");
        setTimeout(() => end("SIGKILL"), 5000).unref();
    });
}
const code = await new Promise((done) => tests.on("exit", (code, signal) => done(signal ? 1 : code)));
end("SIGKILL");
await cluster?.down();
process.exit(code);
