// A control plane, and kubectl for it. Nothing here reads or writes the person's own configuration.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { run } from "./command.mjs";
import { CLUSTER, CONTROL_PLANE, temporaryFolder } from "./settings.mjs";

export class Cluster {
    constructor(dir) {
        this.dir = dir;
        this.cache = temporaryFolder("kubectl");
    }

    get kubeconfig() {
        return join(this.dir, "kubeconfig");
    }

    /** The kubeconfig of another person: `reader` or `restricted`. */
    kubeconfigOf(person) {
        return join(this.dir, `${person}.kubeconfig`);
    }

    /** Starts one of its own in a new folder; it ends with `down`, and with this process at the latest. */
    static async up(...options) {
        const cluster = new Cluster(temporaryFolder("cluster"));
        const end = () => {
            if (existsSync(cluster.dir)) spawnSync(CLUSTER, ["down", "--dir", cluster.dir, "--delete"]);
        };
        process.prependListener("exit", end);
        cluster.forget = () => process.removeListener("exit", end);
        await run(CLUSTER, ["up", "--dir", cluster.dir, ...options]);
        return cluster;
    }

    async down() {
        await run(CLUSTER, ["down", "--dir", this.dir, "--delete"]);
        this.forget?.();
    }

    /** Ends one part. */
    async stop(part) {
        await run(CLUSTER, ["stop", "--dir", this.dir, part]);
    }

    /** Starts one part again and waits until it is ready. */
    async start(part) {
        await run(CLUSTER, ["start", "--dir", this.dir, part]);
    }

    /** Brings the number of bulk pods to this. */
    async load(pods) {
        await run(CLUSTER, ["load", "--dir", this.dir, "--pods", String(pods)]);
    }

    /** What kubectl prints. */
    async kubectl(...args) {
        return (await this.#kubectl(args)).stdout;
    }

    /** What kubectl answers, failed or not. */
    async tryKubectl(...args) {
        return this.#kubectl(args, { allowFailure: true });
    }

    /** Applies a manifest: text, or an object. */
    async apply(...manifests) {
        const text = manifests.map((manifest) => (typeof manifest === "string" ? manifest : JSON.stringify(manifest)));
        await this.#kubectl(["apply", "-f", "-"], { input: text.join("\n---\n") });
    }

    /** Deletes what may be there, and does not wait for finalizers. */
    async remove(...args) {
        await this.kubectl("delete", ...args, "--ignore-not-found", "--wait=false");
    }

    async json(...args) {
        return JSON.parse(await this.kubectl(...args, "-o", "json"));
    }

    #kubectl(args, options) {
        const environment = { KUBECONFIG: this.kubeconfig };
        return run(CONTROL_PLANE, ["kubectl", "--cache-dir", this.cache, ...args], { ...options, env: environment });
    }
}

let shared;

/** The control plane that all files share: the runner's, or one of this process. */
export async function sharedCluster() {
    shared ??= (async () => {
        const dir = process.env.PORTHOLE_TEST_CLUSTER_DIR;
        return dir ? new Cluster(dir) : Cluster.up("--demo", "--nodes", "5", "--logs");
    })();
    return shared;
}
