// The browser, and everything that goes wrong in it without being asked to.

import { chromium } from "playwright-core";

import { CHROMIUM } from "./settings.mjs";

const ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

let running;

/** One browser for all tests of a file, with these arguments more. */
export async function browser(more = []) {
    running ??= launch(more);
    return running;
}

/** Ends it, where it was started. */
export async function closeBrowser() {
    const { browser } = (await running) ?? {};
    running = undefined;
    await browser?.close();
}

async function launch(more) {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: [...ARGUMENTS, ...more] });
    return { browser, workers: new SharedWorkers(await browser.newBrowserCDPSession()) };
}

/** The shared workers of the browser: playwright knows none, the protocol does. */
class SharedWorkers {
    #session;
    #messages = 0;

    constructor(session) {
        this.#session = session;
    }

    /** Those that run. */
    async list() {
        const { targetInfos } = await this.#session.send("Target.getTargets");
        return targetInfos.filter(({ type }) => type === "shared_worker");
    }

    /** Ends all that run, in the middle of whatever they do. */
    async kill() {
        const found = await this.list();
        for (const { targetId } of found) await this.#session.send("Target.closeTarget", { targetId });
        return found.length;
    }

    /**
     * What those that run have complained of so far. They are asked at the end, and not listened to all the time: a
     * shared worker with a listener does not start again for a tab that is loaded anew.
     */
    async faults() {
        const faults = [];
        for (const { targetId } of await this.list()) {
            const messages = await this.#evaluate(targetId, "Runtime.enable").catch(() => []);
            for (const { method, params } of messages) {
                if (method === "Runtime.exceptionThrown") {
                    const { text, exception } = params.exceptionDetails;
                    faults.push(`shared worker: ${text} ${exception?.description ?? ""}`);
                } else if (method === "Runtime.consoleAPICalled" && ["error", "assert"].includes(params.type)) {
                    faults.push(`shared worker: ${params.args.map((argument) => argument.value ?? argument.description).join(" ")}`);
                }
            }
        }
        return faults;
    }

    /** Runs this in every shared worker. */
    async run(expression) {
        for (const { targetId } of await this.list()) await this.#evaluate(targetId, "Runtime.evaluate", { expression });
    }

    /** What the scripts of those that run hold after a collection, in bytes. */
    async heaps() {
        const heaps = [];
        for (const { targetId } of await this.list()) {
            await this.#evaluate(targetId, "HeapProfiler.collectGarbage");
            const said = await this.#evaluate(targetId, "Runtime.getHeapUsage");
            heaps.push(said.find(({ result }) => result)?.result.usedSize ?? 0);
        }
        return heaps;
    }

    /** Sends one command to a worker; gives back all that it said until the answer. */
    async #evaluate(targetId, method, params = {}) {
        const session = this.#session;
        const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
        this.#messages += 1;
        const id = this.#messages;
        const said = [];
        await new Promise((done) => {
            const hear = (event) => {
                if (event.sessionId !== sessionId) return;
                const message = JSON.parse(event.message);
                said.push(message);
                if (message.id !== id) return;
                session.off("Target.receivedMessageFromTarget", hear);
                done();
            };
            session.on("Target.receivedMessageFromTarget", hear);
            session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method, params }) }).catch(done);
            // A worker that hangs answers nothing.
            setTimeout(done, 3000).unref();
        });
        await session.send("Target.detachFromTarget", { sessionId }).catch(() => {});
        return said;
    }
}

/** Passes what a page complains of to `report`. */
export function listen(page, report) {
    page.on("pageerror", (error) => report(`uncaught: ${error.stack ?? error}`));
    page.on("crash", () => report("the page has crashed"));
    page.on("console", (message) => {
        if (message.type() === "error") report(`console: ${message.text()} (${message.location().url})`);
    });
}
