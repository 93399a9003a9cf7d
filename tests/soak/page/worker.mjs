// A shared worker with informers of its own.

import init, { report, start, suspend } from "./soak.js";

const ready = init();
const calls = { report, start, suspend, heap: async () => (await ready).memory.buffer.byteLength };

globalThis.onconnect = ({ ports: [port] }) => {
    port.onmessage = async ({ data: { id, call, args } }) => {
        try {
            await ready;
            port.postMessage({ id, answer: await calls[call](...args) });
        } catch (error) {
            port.postMessage({ id, error: String(error) });
        }
    };
};
