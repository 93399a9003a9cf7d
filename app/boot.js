// Starts the one WebAssembly module in whichever role this is: the page, or the worker that holds the core.
// Its own address names the module (`?glue=…&wasm=…&later=…`), so two builds never share a worker. What the module
// needs of the host beyond its bindings stands on `globalThis.porthole`; ports that arrive early wait there.

const inPage = typeof document !== "undefined";
const waiting = [];
const parameters = new URL(import.meta.url).searchParams;
const beside = (name) => new URL(parameters.get(name), import.meta.url);

let later;

/** Fetches what the first load does without, and joins it to the module: it shares its memory, its table and its state. */
async function join(exports) {
    const response = await fetch(beside("later"));
    if (!response.ok) throw new Error(`${response.url} answers ${response.status}`);
    await WebAssembly.instantiate(await response.arrayBuffer(), { __wasm_split: exports });
}

const porthole = (globalThis.porthole = {
    address: import.meta.url,
    /** Takes a port to a page; the core replaces this when it is ready. */
    connect: (port) => waiting.push(port),
    waiting,
    /** Holds a lock for as long as this tab lives; calls back when it holds it, or when there are no locks to hold. */
    holdLock(name, held) {
        if (!navigator.locks) return held();
        navigator.locks.request(name, () => (held(), new Promise(() => {}))).catch(held);
    },
    /** Calls back when whoever holds the lock is gone. */
    awaitLock: (name, gone) => navigator.locks?.request(name, () => gone()).catch(() => {}),
    /** Calls back when there is nothing else to do. */
    whenIdle: (idle) => (globalThis.requestIdleCallback ?? ((call) => setTimeout(call, 1000)))(() => idle()),
    /**
     * Joins what comes later to the module with these exports, once; a failure is not kept, so it can be tried again.
     * The module gives a function of its table, which is told of the success, and a number for it.
     */
    async joinLater(exports, told, number) {
        later ??= join(exports);
        const joined = await later.then(
            () => true,
            (error) => console.warn("porthole could not load a part:", error),
        );
        if (!joined) later = undefined;
        exports.__indirect_function_table.get(told)(number, joined ? 1 : 0);
    },
});

if (!inPage) {
    // A shared worker is connected to; a worker of one tab is sent its port.
    if ("onconnect" in globalThis) globalThis.onconnect = (event) => porthole.connect(event.ports[0]);
    else globalThis.onmessage = (event) => porthole.connect(event.data);
}

function failed(error) {
    const message = error instanceof Error ? error.message : String(error);
    console.error("porthole could not start:", error);
    if (!inPage) {
        globalThis.close();
        return;
    }
    const place = document.getElementById("boot");
    if (!place) return;
    place.classList.add("failed");
    place.textContent =
        `Porthole could not start: ${message}. It needs a browser with WebAssembly, and its files whole: ` +
        "reload the page, and if that does not help, install them again.";
}

import(beside("glue"))
    .then((glue) => glue.default({ module_or_path: beside("wasm") }))
    .catch(failed);
