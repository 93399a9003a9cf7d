// Firefox, by the protocol that it speaks itself (Marionette): messages of JSON over a socket, each after its length. What
// drives Chromium for the other tests needs a Firefox of its own making.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

import { temporaryFolder } from "./settings.mjs";
import { until } from "./wait.mjs";

const CANDIDATES = [process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"];

/** Where a Firefox is; nothing where there is none. */
export const FIREFOX = CANDIDATES.find((path) => path && existsSync(path));

/** A Firefox without a window. */
export class Firefox {
    #child;
    #socket;
    #buffer = Buffer.alloc(0);
    #waiting = new Map();
    #last = 0;

    static async start() {
        const firefox = new Firefox();
        const profile = temporaryFolder("firefox");
        firefox.#child = spawn(FIREFOX, ["--headless", "--marionette", "--no-remote", "--profile", profile, "about:blank"], {
            // Port 0: the browser takes a free one and writes it down.
            env: { ...process.env, MOZ_MARIONETTE_PREF_STATE_ACROSS_RESTARTS: '{"marionette.port": 0}', HOME: profile },
            stdio: "ignore",
        });
        const port = await until(() => {
            const file = join(profile, "MarionetteActivePort");
            return existsSync(file) && Number(readFileSync(file, "utf8"));
        }, "Firefox says at which port it listens");
        firefox.#socket = connect(port, "127.0.0.1");
        firefox.#socket.on("data", (data) => firefox.#receive(data));
        firefox.#socket.on("error", () => {});
        await firefox.ask("WebDriver:NewSession", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
        await firefox.ask("WebDriver:SetWindowRect", { width: 1480, height: 900 });
        return firefox;
    }

    /** One command; gives back what the browser answers. */
    async ask(command, parameters = {}) {
        this.#last += 1;
        const id = this.#last;
        const message = JSON.stringify([0, id, command, parameters]);
        const answer = new Promise((done, failed) => this.#waiting.set(id, { done, failed }));
        this.#socket.write(`${Buffer.byteLength(message)}:${message}`);
        return answer;
    }

    async open(address) {
        await this.ask("WebDriver:Navigate", { url: address });
    }

    /** Runs the body of a function in the page; gives back its value. */
    async run(script, ...args) {
        const { value } = await this.ask("WebDriver:ExecuteScript", { script, args });
        return value;
    }

    /** Presses these keys, one after the other. */
    async press(...keys) {
        const actions = keys.flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]);
        await this.ask("WebDriver:PerformActions", { actions: [{ type: "key", id: "keyboard", actions }] });
    }

    async stop() {
        const gone = new Promise((done) => this.#child.once("exit", done));
        this.#socket?.destroy();
        this.#child.kill("SIGKILL");
        await gone;
    }

    #receive(data) {
        this.#buffer = Buffer.concat([this.#buffer, data]);
        for (;;) {
            const colon = this.#buffer.indexOf(":");
            const length = Number(this.#buffer.subarray(0, colon).toString());
            if (colon < 0 || this.#buffer.length < colon + 1 + length) return;
            const message = JSON.parse(this.#buffer.subarray(colon + 1, colon + 1 + length).toString());
            this.#buffer = this.#buffer.subarray(colon + 1 + length);
            // The first message says who it is, and answers nothing.
            if (!Array.isArray(message)) continue;
            const [, id, error, value] = message;
            const { done, failed } = this.#waiting.get(id) ?? {};
            this.#waiting.delete(id);
            if (error) failed?.(new Error(`${error.error}: ${error.message}`));
            else done?.(value);
        }
    }
}
