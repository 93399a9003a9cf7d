// A reverse proxy that passes everything through as it comes, and does on chosen paths what networks and servers
// do on bad days. It also counts what arrives.

import http from "node:http";

/** A request and its answer, open or over. */
export class Exchange {
    #answer;
    #upstream;
    closed = false;

    constructor(request, answer) {
        const url = new URL(request.url, "http://upstream");
        this.method = request.method;
        this.path = url.pathname;
        this.query = url.searchParams;
        this.headers = request.headers;
        this.watch = ["1", "true"].includes(url.searchParams.get("watch"));
        this.#answer = answer;
        answer.on("close", () => {
            this.closed = true;
            this.#upstream?.destroy();
        });
    }

    set upstream(upstream) {
        this.#upstream = upstream;
        if (this.closed) upstream.destroy();
    }

    /** Whether this is a list of a collection that ends with this plural. */
    lists(plural) {
        return this.method === "GET" && this.path.endsWith(`/${plural}`) && !this.watch;
    }

    /** Whether this is a watch of a collection that ends with this plural. */
    watches(plural) {
        return this.path.endsWith(`/${plural}`) && this.watch;
    }

    /** Whether this goes to the API, and not for a file of the page. */
    get api() {
        return !this.path.startsWith("/static/");
    }

    /** Puts a line into the stream. */
    inject(line) {
        this.#answer.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    }

    /** Breaks the connection off. */
    cut() {
        this.#answer.destroy();
    }

    /** Ends the answer in good order. */
    end() {
        this.#upstream?.destroy();
        this.#answer.end();
    }
}

export class Meddler {
    #server;
    #sockets = new Set();
    #rules = [];
    /** Every exchange there was, the oldest first. */
    exchanges = [];
    /** When each line was passed on is nobody's business; how many connections are open may be. */
    get connections() {
        return this.#sockets.size;
    }

    static async start(upstreamPort, port = 0) {
        const meddler = new Meddler();
        meddler.upstreamPort = upstreamPort;
        meddler.#server = http.createServer((request, answer) => meddler.#serve(request, answer));
        meddler.#server.on("upgrade", (_, socket) => socket.destroy());
        meddler.#server.on("connection", (socket) => {
            meddler.#sockets.add(socket);
            socket.on("close", () => meddler.#sockets.delete(socket));
        });
        await new Promise((done) => meddler.#server.listen(port, "127.0.0.1", done));
        meddler.port = meddler.#server.address().port;
        return meddler;
    }

    get origin() {
        return `http://127.0.0.1:${this.port}`;
    }

    async stop() {
        const closed = new Promise((done) => this.#server.close(done));
        for (const socket of this.#sockets) socket.destroy();
        await closed;
    }

    /**
     * From here on meddles with the exchanges that `matches` picks. `fault` is one or more of
     * `status` with `body` and `headers`: the answer, without asking upstream;
     * `addHeaders`: more headers of the answer from upstream;
     * `change`: the whole body from upstream as text, changed;
     * `line`: each line of a stream, changed: a string, several, or none;
     * `cutAfter`: so many bytes, then the connection breaks;
     * `silent`: `"before"` answers nothing, `"after"` nothing but the headers;
     * `times`: for so many exchanges only.
     * Gives back what ends the meddling; `seen` of it counts the exchanges.
     */
    meddle(matches, fault) {
        const rule = { matches, fault, seen: 0 };
        this.#rules.unshift(rule);
        return {
            get seen() {
                return rule.seen;
            },
            end: () => {
                this.#rules = this.#rules.filter((other) => other !== rule);
            },
        };
    }

    /** The watches that are open, of one plural or all. */
    watches(plural) {
        return this.exchanges.filter((exchange) => !exchange.closed && exchange.watch && (!plural || exchange.watches(plural)));
    }

    #serve(request, answer) {
        const exchange = new Exchange(request, answer);
        this.exchanges.push(exchange);
        const rule = this.#rules.find(({ matches, fault, seen }) => seen < (fault.times ?? Infinity) && matches(exchange));
        if (rule) rule.seen += 1;
        const fault = rule?.fault ?? {};
        if (fault.silent === "before") return;
        if (fault.status && !fault.change) {
            answer.writeHead(fault.status, { "Content-Type": "application/json", ...fault.headers });
            answer.end(typeof fault.body === "object" ? JSON.stringify(fault.body) : (fault.body ?? ""));
            return;
        }
        // Plain bytes, so that they can be read here.
        const headers = { ...request.headers, host: `127.0.0.1:${this.upstreamPort}`, "accept-encoding": "identity" };
        if (headers.origin) headers.origin = `http://127.0.0.1:${this.upstreamPort}`;
        const options = { host: "127.0.0.1", port: this.upstreamPort, method: request.method, path: request.url, headers };
        const upstream = http.request({ ...options, agent: false }, (reply) => this.#reply(exchange, fault, answer, reply));
        exchange.upstream = upstream;
        upstream.on("error", () => answer.destroy());
        request.pipe(upstream);
    }

    #reply(exchange, fault, answer, reply) {
        const headers = { ...reply.headers, ...fault.addHeaders };
        if (fault.change || fault.line) delete headers["content-length"];
        answer.writeHead(fault.status ?? reply.statusCode, headers);
        answer.flushHeaders();
        reply.on("error", () => answer.destroy());
        reply.on("aborted", () => answer.destroy());
        if (fault.silent === "after") {
            reply.resume();
        } else if (fault.change) {
            const chunks = [];
            reply.on("data", (chunk) => chunks.push(chunk));
            reply.on("end", () => answer.end(fault.change(Buffer.concat(chunks).toString("utf8"), exchange)));
        } else if (fault.line) {
            let rest = "";
            let number = 0;
            reply.setEncoding("utf8");
            reply.on("data", (text) => {
                const lines = (rest + text).split("\n");
                rest = lines.pop();
                for (const line of lines) {
                    const changed = [fault.line(line, number)].flat().filter((line) => line !== undefined);
                    number += 1;
                    for (const line of changed) answer.write(`${line}\n`);
                }
            });
            reply.on("end", () => answer.end(rest));
        } else if (fault.cutAfter !== undefined) {
            let left = fault.cutAfter;
            reply.on("data", (chunk) => {
                if (left <= 0) return;
                const part = chunk.subarray(0, left);
                left -= part.length;
                // What was written has to be on its way before the connection breaks.
                answer.write(part, () => {
                    if (left <= 0) answer.destroy();
                });
            });
            reply.on("end", () => answer.destroy());
        } else {
            reply.pipe(answer);
        }
    }
}
