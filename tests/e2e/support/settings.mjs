// What the tests are told from outside, and what they take where they are told nothing.

import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const HERE = fileURLToPath(new URL("..", import.meta.url));

const cache = process.env.PORTHOLE_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "porthole");

/** The program that runs control planes. */
export const CLUSTER = process.env.PORTHOLE_CLUSTER ?? join(cache, "bin", "cluster");

/** All parts and kubectl in one program; it lies beside the other. */
export const CONTROL_PLANE = process.env.PORTHOLE_CONTROL_PLANE ?? join(CLUSTER, "..", "control-plane");

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Where the core can run. */
export const PLACEMENTS = ["shared", "worker", "page"];

/** How long anything is waited for: long, because the machine may be busy. Nothing is asserted about time. */
export const LIMIT = 60_000;

// Every child process and folder is ended by a listener of its own.
process.setMaxListeners(0);

/** A folder that goes with the process. */
export function temporaryFolder(purpose) {
    const folder = mkdtempSync(join(tmpdir(), `porthole-${purpose}-`));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    return folder;
}

/** A copy of the built page: a build that runs meanwhile would replace the original. */
export function copyOfPage() {
    const from = resolve(HERE, process.env.PORTHOLE_DIST ?? "../../dist");
    if (!existsSync(join(from, "index.html"))) throw new Error(`there is no built page in ${from}: build it first, or name another folder in PORTHOLE_DIST`);
    const to = join(temporaryFolder("page"), "dist");
    cpSync(from, to, { recursive: true });
    return to;
}

let page;

/** The page to serve: the runner's copy, or one of this process. */
export function pageFolder() {
    page ??= process.env.PORTHOLE_TEST_PAGE ?? copyOfPage();
    return page;
}
