// A thousand sets of five pods, which are all there before a controller is: how often each of the two controllers asks the server, counted
// by user in its audit log, and how long it takes. ROUNDS times, one after the other; prints both and their ratios, and fails where
// the example asks more than a tenth more often. PROGRAM is the example, built to be quick.

import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { run } from "../e2e/support/command.mjs";
import { Cluster } from "../e2e/support/cluster.mjs";
import { CLUSTER } from "../e2e/support/settings.mjs";
import { sleep, until } from "../e2e/support/wait.mjs";
import { Example, Real, endWithSignals } from "./controllers.mjs";
import { Ledger } from "./ledger.mjs";

const { PROGRAM, ROUNDS = "1", SETS = "1000", PODS = "5" } = process.env;
if (!PROGRAM) {
    console.error("usage: PROGRAM=<the example> [ROUNDS=n] [SETS=n] [PODS=n] node budget.mjs");
    process.exit(2);
}
const [sets, pods] = [Number(SETS), Number(PODS)];
const NAMESPACE = "budget";

endWithSignals();

const set = (number) => {
    const labels = { set: `set-${number}` };
    const spec = { containers: [{ name: "web", image: "registry.example/web" }] };
    return {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        metadata: { name: `set-${number}`, namespace: NAMESPACE },
        spec: { replicas: pods, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    };
};

/** One controller on a control plane of its own. */
async function side(Kind) {
    // A node takes 110 pods.
    const nodes = String(Math.ceil((sets * pods) / 100));
    const cluster = await Cluster.up("--nodes", nodes, "--audit", "--readable-storage", ...Kind.OPTIONS);
    const ledger = await Ledger.open(cluster.dir);
    // As many requests a second as kube-controller-manager may have there.
    const controller = new Kind(cluster, PROGRAM, ["--qps", "1000", "--burst", "2000"]);
    try {
        await controller.prepare();
        await cluster.kubectl("create", "namespace", NAMESPACE);
        await until(() => cluster.kubectl("-n", NAMESPACE, "get", "serviceaccount", "default"), "the namespace has its service account");
        if (Kind === Real) await run(CLUSTER, ["stop", "--dir", cluster.dir, "kube-controller-manager"]);
        await cluster.apply({ apiVersion: "v1", kind: "List", items: Array.from({ length: sets }, (_, number) => set(number)) });
        if (Kind === Real) await cluster.start("kube-controller-manager");
        else await controller.start(1);

        const isDone = ({ status }) => status?.readyReplicas === pods && status?.availableReplicas === pods && status?.replicas === pods;
        const all = () => Array.from({ length: sets }, (_, number) => ledger.set(NAMESPACE, `set-${number}`));
        await until(() => all().every(isDone), "all pods are there and ready", 600_000);
        // What is still to be said of them.
        await sleep(3000);
        const tooMany = all().filter((each) => ledger.count(each) !== pods).length;
        if (tooMany > 0 || ledger.violations.length > 0) throw new Error(`${tooMany} sets have another number of pods; ${ledger.violations}`);
        await controller.stop();
        return await counted(join(cluster.dir, "logs", "audit.jsonl"), Kind.USER);
    } finally {
        controller.end();
        ledger.close();
        await cluster.down();
    }
}

/** The requests of a user, by what they are, and the seconds from the first pod to the last, and to the last word. */
async function counted(file, user) {
    const calls = {};
    let total = 0;
    let [first, lastPod, last] = [Infinity, 0, 0];
    for await (const line of createInterface({ input: createReadStream(file) })) {
        const { user: who, verb, objectRef, requestReceivedTimestamp, stageTimestamp } = JSON.parse(line);
        // Who leads is asked by copies alone, and kube-controller-manager has none here.
        if (who.username !== user || objectRef?.resource === "leases") continue;
        const name = [verb, [objectRef?.resource, objectRef?.subresource].filter(Boolean).join("/")].join(" ");
        calls[name] = (calls[name] ?? 0) + 1;
        total += 1;
        const [begun, ended] = [Date.parse(requestReceivedTimestamp), Date.parse(stageTimestamp)];
        if (name === "create pods") {
            first = Math.min(first, begun);
            lastPod = Math.max(lastPod, ended);
        }
        if (name === "update replicasets/status") last = Math.max(last, ended);
    }
    return { total, calls, made: (lastPod - first) / 1000, settled: (last - first) / 1000 };
}

const rounds = [];
for (let round = 1; round <= Number(ROUNDS); round += 1) {
    const outcome = { real: await side(Real), ours: await side(Example) };
    for (const [name, { total, calls, made, settled }] of Object.entries(outcome)) {
        const parts = Object.entries(calls).sort(([, a], [, b]) => b - a);
        console.log(`${name === "ours" ? "the example" : "Kubernetes' own"}: ${total} requests (${parts.map(([call, count]) => `${count} ${call}`).join(", ")}); ` +
            `all pods made in ${made.toFixed(1)} s, all said in ${settled.toFixed(1)} s`);
    }
    rounds.push(outcome);
}
const ratio = (part) => rounds.reduce((sum, { ours }) => sum + part(ours), 0) / rounds.reduce((sum, { real }) => sum + part(real), 0);
const requests = ratio(({ total }) => total);
const ratios = [requests, ratio(({ made }) => made), ratio(({ settled }) => settled)].map((number) => number.toFixed(3));
console.log(`the example to Kubernetes' own, of ${sets} sets of ${pods}: requests ${ratios[0]}, time until all pods were made ${ratios[1]}, until all was said ${ratios[2]}`);
if (requests > 1.1) {
    console.error("the example asks more than a tenth more often");
    process.exit(1);
}
