// The two controllers that play: the example, in two copies, and the one of Kubernetes.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { run } from "../e2e/support/command.mjs";
import { CLUSTER, temporaryFolder } from "../e2e/support/settings.mjs";
import { until } from "../e2e/support/wait.mjs";

const ACCESS = fileURLToPath(new URL("../../client-core/examples/replicaset-controller/access.yaml", import.meta.url));
const ACCOUNT = ["porthole-replicaset-controller", "-n", "kube-system"];

/** Whatever was started ends with this process, also where somebody ends that. */
export function endWithSignals() {
    for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]]) process.on(signal, () => process.exit(code));
}

/** The example, as the user that its manifest makes. */
export class Example {
    /** Who asks, in the audit log. */
    static USER = "system:serviceaccount:kube-system:porthole-replicaset-controller";
    static OPTIONS = ["--without-controllers", "replicaset-controller"];
    name = "the example";
    #copies = [];
    #number = 0;

    constructor(cluster, program, options) {
        Object.assign(this, { cluster, program, options });
    }

    /** What it may do, and a kubeconfig for that. */
    async prepare() {
        await this.cluster.apply(readFileSync(ACCESS, "utf8"));
        const token = (await this.cluster.kubectl("create", "token", ...ACCOUNT)).trim();
        const config = await this.cluster.json("config", "view", "--raw");
        config.users = [{ name: "controller", user: { token } }];
        config.contexts[0].context.user = "controller";
        this.kubeconfig = join(temporaryFolder("controller"), "kubeconfig");
        writeFileSync(this.kubeconfig, JSON.stringify(config), { mode: 0o600 });
    }

    /** Starts as many copies; one leads in the end. */
    async start(copies = 2) {
        for (let copy = 0; copy < copies; copy += 1) this.#begin();
        await this.#leader();
    }

    /** The copy that leads dies where it stands, and another is begun in its place. */
    async crash() {
        const leader = await this.#leader();
        leader.child.kill("SIGKILL");
        await leader.ended;
        this.#copies = this.#copies.filter((copy) => copy !== leader);
        this.#begin();
        return async () => void (await this.#leader());
    }

    /** All copies end as they are told to, the leader first: another takes over, and so on. */
    async stop() {
        for (const copy of [...this.#copies]) {
            copy.child.kill("SIGTERM");
            const code = await copy.ended;
            if (code !== 0) throw new Error(`a copy ended with ${code}: ${copy.said}`);
        }
        this.#copies = [];
    }

    /** What all copies have said. */
    get said() {
        return this.#copies.map((copy) => copy.said).join("");
    }

    end() {
        for (const { child } of this.#copies) child.kill("SIGKILL");
    }

    #begin() {
        this.#number += 1;
        const args = ["--identity", `copy-${this.#number}`, ...this.options];
        const child = spawn(this.program, args, { env: { ...process.env, KUBECONFIG: this.kubeconfig }, stdio: ["ignore", "pipe", "pipe"] });
        const copy = { child, said: "", leads: false, ended: once(child, "exit").then(([code]) => code) };
        const hear = (line) => {
            copy.said += `${line}\n`;
            if (line.endsWith(" leads")) copy.leads = true;
            if (line.includes(" leadership is lost")) copy.leads = false;
        };
        for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", hear);
        const kill = () => child.kill("SIGKILL");
        process.on("exit", kill);
        child.once("exit", () => process.removeListener("exit", kill));
        this.#copies.push(copy);
    }

    /** The one that leads, and has not ended. */
    async #leader() {
        return until(() => {
            const dead = this.#copies.find((copy) => copy.child.exitCode !== null);
            if (dead) throw new Error(`a copy ended with ${dead.child.exitCode}: ${dead.said}`);
            return this.#copies.find((copy) => copy.leads);
        }, "a copy leads");
    }
}

/** The one that kube-controller-manager has in it. */
export class Real {
    static USER = "system:serviceaccount:kube-system:replicaset-controller";
    static OPTIONS = [];
    name = "Kubernetes' own";
    said = "";

    constructor(cluster) {
        this.cluster = cluster;
    }

    async prepare() {}
    async start() {}

    async crash() {
        await run(CLUSTER, ["kill", "--dir", this.cluster.dir, "kube-controller-manager"]);
        await this.cluster.start("kube-controller-manager");
        return async () => {};
    }

    async stop() {}
    end() {}
}
