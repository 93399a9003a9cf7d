// kubectl's printed tables, and whether the page shows the same.

import assert from "node:assert/strict";

import { readTable } from "./table.mjs";
import { until } from "./wait.mjs";

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400, y: 365 * 86_400 };
const DURATION = /(?:\d+[smhdy])+/g;
/** Columns of the built-in tables that say how long ago something was, or how long it has been going on. */
const RELATIVE = new Set(["AGE", "LAST SEEN", "FIRST SEEN", "LAST SCHEDULE", "DURATION"]);

/** The headings and rows of what kubectl printed. Its columns are as wide as their longest text, in code points. */
export function parseTable(text) {
    const lines = text.split("\n").filter((line) => line !== "");
    if (lines.length === 0) return { headers: [], rows: [] };
    const headers = [...lines[0].matchAll(/\S+(?: \S+)*/g)].map((match) => ({ name: match[0], at: match.index }));
    const rows = lines.slice(1).map((line) => {
        const characters = Array.from(line);
        return headers.map(({ at }, index) => characters.slice(at, headers[index + 1]?.at).join("").trim());
    });
    return { headers: headers.map(({ name }) => name), rows };
}

/** kubectl's table of a resource: the headings it prints, and the cells by namespace and name. */
export async function kubectlTable(cluster, resource, { namespace } = {}) {
    const where = namespace ? ["-n", namespace] : ["-A"];
    const get = (...args) => cluster.kubectl("get", resource, ...where, "--chunk-size=0", ...args);
    let table = parseTable(await get());
    const { headers } = table;
    // Where the names are not printed, as of events, the wide output has them.
    if (!headers.includes("NAME") && headers.length > 0) table = parseTable(await get("-o", "wide"));
    const rows = new Map();
    for (const cells of table.rows) {
        const row = Object.fromEntries(table.headers.map((header, index) => [header, cells[index]]));
        // The printer of storage classes writes more than the name there.
        const key = `${row.NAMESPACE ?? namespace ?? ""}/${row.NAME.replace(/ \(default\)$/, "")}`;
        rows.set(key, Object.fromEntries(headers.map((header) => [header, row[header]])));
    }
    return { headers, rows };
}

/** The page's table in the same form. */
export async function pageTable(page, { namespaced = true } = {}) {
    const { headers, rows, most } = await readTable(page);
    const names = headers.map((header) => header.toUpperCase());
    const map = new Map();
    for (const { name, namespace, cells } of rows) {
        assert.equal(cells.length, headers.length, `${namespace}/${name} has a cell for each heading`);
        map.set(`${namespaced ? namespace : ""}/${name}`, Object.fromEntries(names.map((header, index) => [header, cells[index].trim()])));
    }
    return { headers: names, rows: map, most };
}

/** The columns of a custom resource that hold a date, which is printed as the time since. */
export async function dateColumns(cluster, resource) {
    const { code, stdout } = await cluster.tryKubectl("get", "crd", resource, "-o", "json");
    if (code !== 0) return [];
    const columns = JSON.parse(stdout).spec.versions.flatMap((version) => version.additionalPrinterColumns ?? []);
    return columns.filter(({ type }) => type === "date").map(({ name }) => name.toUpperCase());
}

function seconds(text) {
    return [...text.matchAll(/(\d+)([smhdy])/g)].reduce((sum, [, number, unit]) => sum + Number(number) * UNITS[unit], 0);
}

/** How exactly a duration of this length is printed. */
function coarseness(duration) {
    if (duration < 10 * UNITS.m) return 1;
    if (duration < 8 * UNITS.h) return UNITS.m;
    if (duration < 8 * UNITS.d) return UNITS.h;
    return duration < 8 * UNITS.y ? UNITS.d : UNITS.y;
}

/** Whether what the page shows lies between what kubectl printed before and after. */
export function sameCell(before, shown, after, relative) {
    if (shown === before || shown === after) return true;
    const inside = / ago\)$/.test(shown);
    if (!relative && !inside) return false;
    const skeleton = (text) => text.replace(DURATION, "#");
    if (skeleton(before) !== skeleton(shown)) return false;
    const [a, b, c] = [before, shown, after].map((text) => (text.match(DURATION) ?? []).map(seconds));
    return b.every((value, at) => {
        const low = Math.min(a[at], c[at] ?? a[at]);
        const high = Math.max(a[at], c[at] ?? a[at]);
        const slack = 3 + coarseness(high);
        return value >= low - slack && value <= high + slack;
    });
}

/** A row without the times in it, to tell whether anything else has changed. */
function still(row, relative) {
    return JSON.stringify(row, (header, text) =>
        typeof text === "string" && (relative.has(header) || / ago\)$/.test(text)) ? text.replace(DURATION, "#") : text,
    );
}

/**
 * Compares every cell of the page's table with kubectl's. What changes all the time is compared again until each row
 * was found equal once, between two prints of kubectl that agree on it. `only` picks the rows that have to be, where a table is so large that those
 * which change every few seconds never stand still for as long as reading it takes.
 */
export async function assertSameAsKubectl(page, cluster, resource, options = {}) {
    const relative = new Set([...RELATIVE, ...(await dateColumns(cluster, resource))]);
    const equal = new Set();
    let compared = 0;
    let most = 0;
    await until(async () => {
        const before = await kubectlTable(cluster, resource, options);
        const shown = await pageTable(page, { namespaced: before.headers.includes("NAMESPACE") || options.namespace !== undefined });
        const after = await kubectlTable(cluster, resource, options);
        most = Math.max(most, shown.most);
        if (before.rows.size === 0 && after.rows.size === 0) {
            assert.equal(shown.rows.size, 0, "kubectl has no rows");
            return true;
        }
        const without = (headers) => headers.filter((header) => header !== "NAMESPACE");
        if (before.headers.length > 0) {
            assert.deepEqual(without(shown.headers), without(before.headers), "the headings");
            assert.equal(shown.headers.includes("NAMESPACE"), before.headers.includes("NAMESPACE"), "the namespace has a column");
        }
        const wrong = [];
        for (const [key, row] of before.rows) {
            const later = after.rows.get(key);
            if (options.only && !options.only(key)) continue;
            if (!later || still(later, relative) !== still(row, relative)) continue;
            const mine = shown.rows.get(key);
            if (!mine) {
                wrong.push(`${key} is not shown`);
                continue;
            }
            const faults = Object.keys(row).filter((header) => !sameCell(row[header], mine[header], later[header], relative.has(header)));
            if (faults.length === 0) equal.add(key);
            else wrong.push(`${key}: ${faults.map((header) => `${header} is ${JSON.stringify(mine[header])}, not ${JSON.stringify(later[header])}`).join(", ")}`);
        }
        for (const key of shown.rows.keys()) {
            if (!before.rows.has(key) && !after.rows.has(key)) wrong.push(`${key} is shown, and kubectl does not have it`);
        }
        compared = equal.size;
        const missing = [...after.rows.keys()].filter((key) => !equal.has(key) && (options.only?.(key) ?? true));
        if (missing.length === 0 && !wrong.some((fault) => fault.endsWith("does not have it"))) return true;
        throw new Error(`${equal.size} rows are equal, not yet ${missing.slice(0, 5).join(", ")}; ${wrong.slice(0, 8).join("; ")}`);
    }, `the page's ${resource} equal kubectl's`, options.limit);
    return { compared, most };
}
