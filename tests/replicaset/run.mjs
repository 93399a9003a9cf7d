// Plays the script with the example, as often as TIMES says, and once with Kubernetes' own controller; what there is in the end is the
// same, and the example never makes a pod that nobody wants. PROGRAM is the example, built.

import { isDeepStrictEqual } from "node:util";

import { Cluster } from "../e2e/support/cluster.mjs";
import { Example, Real, endWithSignals } from "./controllers.mjs";
import { Ledger } from "./ledger.mjs";
import { clear, play } from "./script.mjs";

const { PROGRAM, TIMES = "1" } = process.env;
if (!PROGRAM) {
    console.error("usage: PROGRAM=<the example> [TIMES=n] node run.mjs");
    process.exit(2);
}

endWithSignals();

/** Plays it so often on a control plane of its own. */
async function side(Kind, times, options) {
    const cluster = await Cluster.up("--nodes", "5", "--readable-storage", ...Kind.OPTIONS);
    const ledger = await Ledger.open(cluster.dir);
    const controller = new Kind(cluster, PROGRAM, options);
    const outcomes = [];
    try {
        await controller.prepare();
        for (let time = 1; time <= times; time += 1) {
            // The garbage collector's picture of the cluster is old for a while after the API server died; it would delete what it is to orphan.
            if (time > 1) await begunAnew(cluster, "kube-controller-manager");
            await controller.start();
            const outcome = await play(cluster, ledger, controller);
            await controller.stop();
            const words = Object.entries(outcome.seconds).map(([step, times]) => `${times.map((each) => each.toFixed(2).padStart(7)).join("")}  ${step}`);
            const counts = Object.entries(outcome.counts).map(([when, count]) => `${count} pods ${when}`);
            console.log(`${controller.name}, ${time} of ${times}; ${counts.join(", ")}; seconds until as many are there, and until all are ready:\n${words.join("\n")}`);
            outcomes.push({ state: outcome.state, violations: ledger.violations.splice(0) });
            await clear(cluster, ledger);
            ledger.violations.length = 0;
        }
    } finally {
        controller.end();
        ledger.close();
    }
    await cluster.down();
    return outcomes;
}

/** A part without what it remembers. */
async function begunAnew(cluster, part) {
    await cluster.stop(part);
    await cluster.start(part);
}

// Slower than it could be, so that it is in the midst of something when things die.
const options = ["--qps", "200", "--burst", "50", "--lease-seconds", "3"];
const ours = await side(Example, Number(TIMES), options);
const [real] = await side(Real, 1);
console.log(`made above what is wanted, or deleted below it: ${ours.flatMap(({ violations }) => violations).length} of the example, ${real.violations.length} of Kubernetes' own`);

let failed = false;
for (const { state, violations } of ours) {
    for (const violation of violations) {
        console.error(violation);
        failed = true;
    }
    if (!isDeepStrictEqual(withoutReporter(state), withoutReporter(real.state))) {
        console.error(`the example ends in another state than Kubernetes' own:\n${JSON.stringify(state, null, 2)}\n${JSON.stringify(real.state, null, 2)}`);
        failed = true;
    }
}
process.exit(failed ? 1 : 0);

/** Both call themselves by the same name, and write at other times of other generations. */
function withoutReporter({ status, ...state }) {
    const { observedGeneration, ...counts } = status;
    return { ...state, status: counts };
}
