// Divides the module: what the first load does without goes into `later/`. Trunk runs this as its last step, with the
// page in its staging folder; the module and the bindings that Trunk made there are replaced.
//
// Every file is named by the content of all, and the page's address of `boot.js` names them: two builds never share a
// worker or a part.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const OPTIMIZE = [
    "-Oz",
    "--converge",
    "--reorder-functions-by-name",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];
/** The module that the splitter makes the first one import; `boot.js` does what it is for. */
const LINK = "__wasm_split.js";
const LOADER = "__wasm_split_load_later";

const { TRUNK_STAGING_DIR: page, TRUNK_SOURCE_DIR: source, TRUNK_PROFILE: profile = "release" } = process.env;
const target = process.env.CARGO_TARGET_DIR ?? join(source, "target");
const compiled = join(target, "wasm32-unknown-unknown", profile === "release" ? "release" : "debug", "porthole.wasm");

function one(what, found) {
    if (found.length !== 1) throw new Error(`expected one ${what}, found ${found.length}: ${found.join(", ")}`);
    return found[0];
}

function run(program, ...parameters) {
    execFileSync(program, parameters, { stdio: ["ignore", "inherit", "inherit"] });
}

/** The bindings with the loader of the part in place of an import. */
function bindings(text) {
    const start = new RegExp(`^import \\* as (\\w+) from "\\./${LINK}";?$`, "gm");
    const [line, name] = one(`import of ${LINK} in the bindings`, [...text.matchAll(start)]);
    return text.replace(line, `const ${name} = { ${LOADER}: (told, number) => porthole.joinLater(wasm, told, number) };`);
}

const work = mkdtempSync(join(tmpdir(), "porthole-split."));
try {
    run("wasm-split-cli", compiled, work, "--target", "web", "--out-name", "porthole");
    one("part", readdirSync(work).filter((name) => /^(split|chunk)_.*\.wasm$/.test(name)));
    run("wasm-bindgen", join(work, "porthole.wasm"), "--target", "web", "--keep-lld-exports", "--no-demangle", "--no-typescript",
        "--out-dir", work, "--out-name", "porthole");
    // Trunk optimizes where it builds a release; so does this.
    const optimize = profile === "release" ? OPTIMIZE : ["-O0"];
    run("wasm-opt", ...optimize, join(work, "porthole_bg.wasm"), "-o", join(work, "first.wasm"));
    run("wasm-opt", ...optimize, join(work, "split_later.wasm"), "-o", join(work, "later.wasm"));

    const first = readFileSync(join(work, "first.wasm"));
    const later = readFileSync(join(work, "later.wasm"));
    const glue = bindings(readFileSync(join(work, "porthole.js"), "utf8"));
    const hash = createHash("sha256");
    for (const content of [first, later, glue, readFileSync(join(page, "boot.js"))]) hash.update(content);
    const name = `porthole-${hash.digest("hex").slice(0, 16)}`;

    const was = one("module", readdirSync(page).filter((file) => /^porthole-[0-9a-f]+_bg\.wasm$/.test(file))).replace("_bg.wasm", "");
    for (const file of [`${was}_bg.wasm`, `${was}.js`]) rmSync(join(page, file));
    mkdirSync(join(page, "later"), { recursive: true });
    writeFileSync(join(page, `${name}_bg.wasm`), first);
    writeFileSync(join(page, `${name}.js`), glue);
    writeFileSync(join(page, "later", `${name}_bg.wasm`), later);
    const index = join(page, "index.html");
    writeFileSync(index, readFileSync(index, "utf8").replaceAll(was, name));
} finally {
    rmSync(work, { recursive: true });
}
