// What becomes of sets and pods, as etcd has it: every change in its order, whoever is down meanwhile.

import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";

const PREFIXES = { pods: "/registry/pods/", sets: "/registry/replicasets/" };

const base64 = (text) => Buffer.from(text).toString("base64");

/** The end of the range of all keys that begin like this. */
const after = (prefix) => prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

/** The reference to the set that manages a pod. */
const owner = (pod) => pod.metadata.ownerReferences?.find((reference) => reference.controller && reference.kind === "ReplicaSet");

/** Whether a pod counts. */
const isActive = (pod) => !pod.metadata.deletionTimestamp && !["Succeeded", "Failed"].includes(pod.status?.phase);

export class Ledger {
    /** What is there, by its key in etcd. */
    objects = new Map();
    /** Where a pod was made, or taken in, though its set had as many as it wanted. */
    violations = [];
    /** The names of the pods that somebody else deletes. */
    doomed = new Set();
    #counts = new Map();
    #watchers = [];
    #waiting = [];
    #failure;

    /** Follows a control plane that was brought up with `--readable-storage`. */
    static async open(dir) {
        const ledger = new Ledger();
        const { ports } = JSON.parse(readFileSync(join(dir, "state.json"), "utf8"));
        const pki = (name) => readFileSync(join(dir, "pki", name));
        const access = {
            host: "127.0.0.1",
            port: ports.etcd,
            ca: pki("ca.crt"),
            cert: pki("kube-apiserver-client.crt"),
            key: pki("kube-apiserver-client.key"),
        };
        // Sets and pods in one watch, so that they come in one order: what lies between the two prefixes is passed over.
        await ledger.#watch(access, PREFIXES.pods, after(PREFIXES.sets));
        return ledger;
    }

    close() {
        for (const watcher of this.#watchers) watcher.destroy();
    }

    /** The set of this name that is there now. */
    set(namespace, name) {
        return this.objects.get(`${PREFIXES.sets}${namespace}/${name}`);
    }

    /** The pods of a namespace that count. */
    pods(namespace) {
        const of = [...this.objects].filter(([key]) => key.startsWith(`${PREFIXES.pods}${namespace}/`));
        return of.map(([, pod]) => pod).filter(isActive);
    }

    /** How many pods that count a set manages. */
    count(set) {
        return this.#counts.get(set?.metadata.uid)?.size ?? 0;
    }

    /** Ends as soon as the condition holds, which is asked after every change. */
    async until(condition, what, limit = 60_000) {
        const begun = performance.now();
        let timer;
        const late = new Promise((_, reject) => {
            timer = setTimeout(() => reject(new Error(`waited ${limit / 1000} s in vain: ${what}`)), limit);
        });
        const holds = new Promise((resolve, reject) => {
            const ask = () => {
                if (this.#failure) reject(this.#failure);
                else if (condition()) resolve();
                else return false;
                return true;
            };
            if (!ask()) this.#waiting.push(ask);
        });
        try {
            await Promise.race([holds, late]);
        } finally {
            clearTimeout(timer);
        }
        return (performance.now() - begun) / 1000;
    }

    #take({ type, kv }) {
        const key = Buffer.from(kv.key, "base64").toString("utf8");
        const isPod = key.startsWith(PREFIXES.pods);
        if (!isPod && !key.startsWith(PREFIXES.sets)) return;
        const before = this.objects.get(key);
        const now = type === "DELETE" ? undefined : JSON.parse(Buffer.from(kv.value, "base64").toString("utf8"));
        if (now) this.objects.set(key, now);
        else this.objects.delete(key);
        if (isPod) this.#count(key, before, now, Number(kv.mod_revision));
    }

    /** Pods by the set that manages them; what is made or taken in must be wanted at that very moment. */
    #count(key, before, now, revision) {
        const was = before && isActive(before) ? owner(before)?.uid : undefined;
        const is = now && isActive(now) ? owner(now)?.uid : undefined;
        if (was && was !== is) {
            this.#counts.get(was)?.delete(key);
            this.#missed(key, before, now, revision);
        }
        if (!is || was === is) return;
        const pods = this.#counts.get(is) ?? new Set();
        this.#counts.set(is, pods.add(key));
        const set = this.set(now.metadata.namespace, owner(now).name);
        // A set that is gone, or is not the one any more, wants nothing.
        const wanted = set?.metadata.uid === is ? set.spec.replicas : 0;
        if (pods.size > wanted) {
            this.violations.push(`revision ${revision}: ${key} is one of ${pods.size}, where ${wanted} are wanted`);
        }
    }

    /** What a controller deletes must be too much at that very moment. */
    #missed(key, before, now, revision) {
        const { name, namespace } = before.metadata;
        const set = this.set(namespace, owner(before).name);
        const isDeleted = !now || (now.metadata.deletionTimestamp && !before.metadata.deletionTimestamp);
        if (!isDeleted || this.doomed.has(name) || set?.metadata.uid !== owner(before).uid || set.metadata.deletionTimestamp) return;
        if (this.count(set) < set.spec.replicas) {
            this.violations.push(`revision ${revision}: ${key} is deleted, which leaves ${this.count(set)} where ${set.spec.replicas} are wanted`);
        }
    }

    async #watch(access, from, to) {
        const body = JSON.stringify({ create_request: { key: base64(from), range_end: base64(to), start_revision: "1" } });
        const options = { ...access, method: "POST", path: "/v3/watch", headers: { "content-type": "application/json" } };
        await new Promise((resolve, reject) => {
            const asked = request(options, (response) => {
                if (response.statusCode !== 200) reject(new Error(`etcd answers ${response.statusCode}`));
                let text = "";
                response.setEncoding("utf8");
                response.on("data", (chunk) => {
                    text += chunk;
                    const lines = text.split("\n");
                    text = lines.pop();
                    for (const line of lines.filter(Boolean)) this.#read(JSON.parse(line), resolve);
                });
                response.on("close", () => this.#fail(new Error("the watch of etcd ended")));
            });
            asked.on("error", reject);
            asked.end(body);
            this.#watchers.push(asked);
        });
    }

    #read({ result, error }, begun) {
        if (error || result?.canceled) this.#fail(new Error(`etcd: ${JSON.stringify(error ?? result)}`));
        if (result?.created) begun();
        for (const event of result?.events ?? []) this.#take(event);
        this.#waiting = this.#waiting.filter((ask) => !ask());
    }

    #fail(error) {
        this.#failure = error;
        this.#waiting = this.#waiting.filter((ask) => !ask());
    }
}
