// One origin for two servers: what an API server has comes from one, all else from the other.

import { createServer, request } from "node:http";
import { connect } from "node:net";

/** Listens on a port of its own; `ports` are those of the API and of the rest. */
export async function startFront({ api, rest }) {
    const portOf = ({ url }) => (/^\/(apis?|version)(\/|\?|$)/.test(url) ? api : rest);
    const server = createServer((asked, answer) => {
        const { method, url: path, headers } = asked;
        const upstream = request({ host: "127.0.0.1", port: portOf(asked), method, path, headers }, (found) => {
            answer.writeHead(found.statusCode, found.headers);
            // The events of a watch may come much later.
            answer.flushHeaders();
            found.pipe(answer);
        });
        upstream.on("error", () => answer.destroy());
        answer.on("close", () => upstream.destroy());
        asked.pipe(upstream);
    });
    server.on("upgrade", (asked, client, head) => {
        const upstream = connect(portOf(asked), "127.0.0.1");
        const lines = asked.rawHeaders.map((text, at) => (at % 2 ? `${text}\r\n` : `${text}: `));
        upstream.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
        upstream.write(head);
        client.pipe(upstream).pipe(client);
        for (const [one, other] of [[client, upstream], [upstream, client]]) {
            one.on("error", () => other.destroy());
            one.on("close", () => other.destroy());
        }
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    const close = () => {
        server.close();
        server.closeAllConnections();
    };
    return { port: server.address().port, close };
}
