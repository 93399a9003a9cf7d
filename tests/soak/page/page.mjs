// Starts the informers of this page and of its shared worker, and passes on what the driver asks of them.

import init, { report, start, suspend } from "./soak.js";

const { memory } = await init();
const { port } = new SharedWorker("worker.mjs", { type: "module", name: "soak" });
const waiting = new Map();
let asked = 0;
port.onmessage = ({ data: { id, answer, error } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(error));
    else resolve(answer);
};

/** What the worker answers. */
const ask = (call, ...args) =>
    new Promise((resolve, reject) => {
        asked += 1;
        waiting.set(asked, { resolve, reject });
        port.postMessage({ id: asked, call, args });
    });

start(false);
await ask("start", true);
globalThis.soak = {
    // As texts: not every number of theirs is one of JavaScript's.
    report: async (entries) => [report(entries), await ask("report", entries)],
    suspend: async (name, suspended) => suspend(name, suspended) || ask("suspend", name, suspended),
    heaps: async () => [memory.buffer.byteLength, await ask("heap")],
};
