// What is done to a set, whoever looks after it: the same steps, which end in the same state.

import { run } from "../e2e/support/command.mjs";
import { CLUSTER } from "../e2e/support/settings.mjs";
import { sleep } from "../e2e/support/wait.mjs";

const NAMESPACE = "script";

const labels = { app: "web" };
const containers = [{ name: "web", image: "registry.example/web" }];

const pod = (name) => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: NAMESPACE, labels }, spec: { containers } });

const set = (replicas, own) => ({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "web", namespace: NAMESPACE },
    spec: { replicas, selector: { matchLabels: own }, template: { metadata: { labels: own }, spec: { containers } } },
});

/**
 * Plays all steps; gives back what there is in the end, how many pods there were when something died, and how many seconds each step took
 * until there were as many as are wanted, and until all were ready and the set said so.
 */
export async function play(cluster, ledger, controller) {
    const [seconds, counts] = [{}, {}];
    const kubectl = (...args) => cluster.kubectl("-n", NAMESPACE, ...args);
    const web = () => ledger.set(NAMESPACE, "web");
    const scale = (replicas) => kubectl("scale", "replicaset", "web", `--replicas=${replicas}`);
    const names = () => ledger.pods(NAMESPACE).map((each) => each.metadata.name).sort();

    /** As many pods as are wanted, all of them ready, and the set says so. */
    const isRight = (wanted) => {
        const status = web()?.status ?? {};
        const numbers = [status.replicas, status.fullyLabeledReplicas, status.readyReplicas, status.availableReplicas];
        return (
            ledger.count(web()) === wanted &&
            web().spec.replicas === wanted &&
            status.observedGeneration === web().metadata.generation &&
            numbers.every((number) => (number ?? 0) === wanted)
        );
    };
    const isCalm = () => isRight(10) && !web().status.terminatingReplicas;
    const right = async (step, wanted) => {
        const what = `${step}: ${wanted} pods`;
        const seen = () => `${what}; there are ${ledger.count(web())}, and the set says ${JSON.stringify(web()?.status)}; ${controller.said}`;
        try {
            const made = await ledger.until(() => ledger.count(web()) === wanted, what);
            // Others have a part in that: a scheduler, and what plays the nodes.
            seconds[step] = [made, made + (await ledger.until(() => isRight(wanted), what))];
        } catch (error) {
            throw new Error(`${error.message}\n${seen()}`);
        }
    };

    await cluster.kubectl("create", "namespace", NAMESPACE);
    await cluster.apply(pod("orphan-1"), pod("orphan-2"));
    await cluster.apply(set(5, labels));
    await right("takes two in and makes three", 5);
    if (!["orphan-1", "orphan-2"].every((name) => names().includes(name))) throw new Error(`the orphans were not taken in: ${names()}`);

    await scale(0);
    await right("to 0", 0);
    await scale(100);
    await right("to 100", 100);
    await scale(3);
    await right("to 3", 3);

    await scale(20);
    await right("to 20", 20);
    const doomed = names().slice(0, 7);
    ledger.doomed = new Set(doomed);
    await kubectl("delete", "pods", ...doomed, "--wait=false");
    await ledger.until(() => doomed.every((name) => !names().includes(name)), "seven pods go");
    await right("seven pods are deleted under it", 20);

    const released = names().slice(0, 3);
    await kubectl("label", "pods", ...released, "app=debug", "--overwrite");
    const own = (name) => ledger.pods(NAMESPACE).find((each) => each.metadata.name === name)?.metadata.ownerReferences;
    await ledger.until(() => released.every((name) => !own(name)), "three pods are let go");
    await right("three pods match no more", 20);

    // A set's selector cannot be changed: it is made anew, and its pods are left for whom they match.
    const front = { ...labels, tier: "front" };
    const matching = names().filter((name) => !released.includes(name)).slice(0, 4);
    await kubectl("label", "pods", ...matching, "tier=front");
    await kubectl("delete", "replicaset", "web", "--cascade=orphan", "--wait=true");
    await cluster.apply(set(6, front));
    await right("another selector, of which four are there", 6);
    const taken = names().filter((name) => own(name));
    if (!matching.every((name) => taken.includes(name))) throw new Error(`what matches was not taken in: ${matching}; ${taken}`);

    await scale(80);
    await ledger.until(() => ledger.count(web()) >= 25, "it has begun");
    await run(CLUSTER, ["kill", "--dir", cluster.dir, "kube-apiserver"]);
    counts["when the API server dies"] = ledger.count(web());
    await sleep(500);
    await cluster.start("kube-apiserver");
    await right("the API server dies on the way to 80", 80);

    await scale(200);
    await ledger.until(() => ledger.count(web()) >= 110, "it has begun");
    const another = await controller.crash();
    counts["when the leader dies"] = ledger.count(web());
    await right("the leader dies on the way to 200", 200);
    await another();

    await scale(10);
    await right("to 10", 10);
    await ledger.until(isCalm, "no pod is on its way out");
    return { seconds, counts, state: await state(cluster, ledger, web()) };
}

/** What there is, without what is different each time: names, ids, times. */
async function state(cluster, ledger, web) {
    const counted = (texts) => {
        const counts = {};
        for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
        return Object.fromEntries(Object.entries(counts).sort());
    };
    const described = (pod) => {
        const { labels, ownerReferences, generateName, annotations, finalizers } = pod.metadata;
        const owners = ownerReferences?.map(({ uid, ...reference }) => ({ ...reference, isThere: uid === web.metadata.uid }));
        const { containers, restartPolicy, serviceAccountName } = pod.spec;
        const spec = { image: containers.map(({ name, image }) => ({ name, image })), restartPolicy, serviceAccountName };
        // A name that a server made begins like this as well.
        const prefix = generateName ?? pod.metadata.name.replace(/[^-]*$/, "");
        const topology = Object.fromEntries(Object.entries(labels).filter(([name]) => !name.startsWith("topology.kubernetes.io/")));
        return JSON.stringify({ prefix, labels: topology, owners, annotations, finalizers, spec, phase: pod.status.phase });
    };
    const { status } = web;
    // Written once all is over.
    const events = await cluster.json("-n", NAMESPACE, "get", "events", "--field-selector", "involvedObject.kind=ReplicaSet");
    // What failed while the API server was down is chance.
    const told = events.items.filter(({ type }) => type === "Normal").map(({ type, reason, source, involvedObject }) =>
        JSON.stringify({ type, reason, component: source.component, of: involvedObject.name, apiVersion: involvedObject.apiVersion }),
    );
    return { pods: counted(ledger.pods(NAMESPACE).map(described)), status, events: [...new Set(told)].sort() };
}

/** Removes what a script left, so that it can be played once more. */
export async function clear(cluster, ledger) {
    await cluster.kubectl("delete", "namespace", NAMESPACE, "--wait=true");
    await ledger.until(() => ledger.pods(NAMESPACE).length === 0, "all is gone");
}
