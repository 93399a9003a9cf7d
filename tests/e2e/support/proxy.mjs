// `kubectl proxy`, as a person starts it, but for a temporary configuration.

import { spawn } from "node:child_process";

import { CONTROL_PLANE, pageFolder, temporaryFolder } from "./settings.mjs";

export class Proxy {
    #child;

    /** Serves the page, or another folder, and the API of the cluster that `kubeconfig` names; on a free port where none is given. */
    static async start({ kubeconfig, port = 0, folder = pageFolder() }) {
        const proxy = new Proxy();
        proxy.folder = folder;
        proxy.kubeconfig = kubeconfig;
        await proxy.#spawn(port);
        return proxy;
    }

    get origin() {
        return `http://127.0.0.1:${this.port}`;
    }

    /** Ends it, with every connection that goes through it. */
    async stop() {
        const child = this.#child;
        if (!child || child.exitCode !== null || child.signalCode !== null) return;
        const gone = new Promise((done) => child.once("exit", done));
        child.kill("SIGKILL");
        await gone;
    }

    /** Starts it again on the same port, for another cluster where one is given. */
    async start({ kubeconfig = this.kubeconfig } = {}) {
        this.kubeconfig = kubeconfig;
        await this.#spawn(this.port);
    }

    async #spawn(port) {
        const cache = temporaryFolder("kubectl");
        const args = ["kubectl", "--kubeconfig", this.kubeconfig, "--cache-dir", cache, "proxy", `--port=${port}`];
        args.push("--address=127.0.0.1", "--www", this.folder, "--www-prefix=/static/");
        const child = spawn(CONTROL_PLANE, args, {
            env: { ...process.env, KUBECONFIG: this.kubeconfig },
            stdio: ["ignore", "pipe", "pipe"],
        });
        this.#child = child;
        const end = () => child.kill("SIGKILL");
        process.on("exit", end);
        child.once("exit", () => process.removeListener("exit", end));
        let said = "";
        this.port = await new Promise((resolve, reject) => {
            const read = (chunk) => {
                said += chunk;
                const found = /Starting to serve on 127\.0\.0\.1:(\d+)/.exec(said);
                if (found) resolve(Number(found[1]));
            };
            child.stdout.on("data", read);
            child.stderr.on("data", read);
            child.once("exit", (code) => reject(new Error(`kubectl proxy ended with ${code}: ${said}`)));
        });
    }
}
