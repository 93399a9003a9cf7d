// Programs that run and end.

import { spawn } from "node:child_process";

/** What a program printed; an error where it failed. */
export function run(program, args, { input, env, allowFailure = false } = {}) {
    return new Promise((resolve, reject) => {
        const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
        const out = [];
        const err = [];
        child.stdout.on("data", (chunk) => out.push(chunk));
        child.stderr.on("data", (chunk) => err.push(chunk));
        child.stdin.on("error", () => {});
        child.stdin.end(input ?? "");
        child.on("error", reject);
        child.on("close", (code) => {
            const [stdout, stderr] = [out, err].map((chunks) => Buffer.concat(chunks).toString("utf8"));
            if (code === 0 || allowFailure) resolve({ code, stdout, stderr });
            else reject(new Error(`${args.join(" ")} ended with ${code}: ${stderr || stdout}`));
        });
    });
}
