// Holds the tables of docs/client-go-tests to Go's own files: every test of a file that a heading names has a row, and
// every row names a test that is there. What rows say of tests here is held by client-core/tests/client_go_tests.rs.
// docs/client-go-tests/README.md says how headings and rows are written.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const tables = join(root, "docs/client-go-tests");
const go = join(root, "tests/cluster");

const folders = new Map();
/** Where the sources of a module are, in the version of tests/cluster. */
function folder(module) {
    if (!folders.has(module)) {
        const ask = (...args) => execFileSync("go", args, { cwd: go, encoding: "utf8" }).trim();
        const where = () => ask("list", "-m", "-f", "{{.Dir}}", `k8s.io/${module}`);
        folders.set(module, where() || (ask("mod", "download", `k8s.io/${module}`), where()));
    }
    return folders.get(module);
}

/** The headings of the tables: a Go file, whether only a part of it is claimed, and the tests that have a row. */
function headings() {
    const all = [];
    for (const table of readdirSync(tables).filter((name) => name.endsWith(".md") && name !== "README.md")) {
        let heading;
        for (const [index, line] of readFileSync(join(tables, table), "utf8").split("\n").entries()) {
            const at = `${table}:${index + 1}`;
            const title = /^## (\S+)( \(in part\))?$/.exec(line);
            if (title) all.push((heading = { at, file: title[1], partial: Boolean(title[2]), rows: [] }));
            else if (line.startsWith("#") && !line.startsWith("# ")) problems.push(`${at}: not a heading that is understood: ${line}`);
            const row = /^\|\s*`?(Test\w*)`?\s*\|/.exec(line);
            if (row && heading) heading.rows.push({ at, test: row[1] });
            else if (row) problems.push(`${at}: a row without a heading`);
        }
    }
    return all;
}

const problems = [];
const files = new Map();
for (const heading of headings()) {
    const file = files.get(heading.file) ?? { headings: [], rows: [] };
    file.headings.push(heading);
    file.rows.push(...heading.rows);
    files.set(heading.file, file);
}
if (files.size === 0) problems.push(`no table in ${tables}`);
let count = 0;
for (const [name, { headings, rows }] of files) {
    const [module, ...path] = name.split("/");
    const file = join(folder(module), ...path);
    const at = headings.map((heading) => heading.at).join(", ");
    if (!existsSync(file)) {
        problems.push(`${at}: there is no ${name}`);
        continue;
    }
    const source = readFileSync(file, "utf8");
    const tests = new Set([...source.matchAll(/^func (Test\w*)\(/gm)].map((match) => match[1]).filter((test) => test !== "TestMain"));
    const named = new Set(rows.map((row) => row.test));
    count += rows.length;
    for (const row of rows) if (!tests.has(row.test)) problems.push(`${row.at}: ${name} has no ${row.test}`);
    const missing = [...tests].filter((test) => !named.has(test));
    const partial = headings.every((heading) => heading.partial);
    if (partial && missing.length === 0) problems.push(`${at}: ${name} is there whole, not in part`);
    if (!partial) for (const test of missing) problems.push(`${at}: ${name} has ${test}, which has no row`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${count} tests of ${files.size} files of Go have their rows`);
