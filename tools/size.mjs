// Prints the raw, gzip and brotli size of every file of the first load, and of those that are fetched later.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const BROTLI_BUDGET = 300_000;
const WASM_BUDGET = 900_000;

const [dist, figures] = process.argv.slice(2);
function weigh(folder) {
    return readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => {
            const bytes = readFileSync(join(folder, name));
            return {
                name,
                raw: bytes.length,
                gzip: gzipSync(bytes, { level: 9 }).length,
                brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length,
            };
        });
}
const rows = weigh(dist);
// What is fetched after the first load, or never.
const later = existsSync(join(dist, "later")) ? weigh(join(dist, "later")) : [];
const sum = (key, of = rows) => of.reduce((total, row) => total + row[key], 0);
const wasm = Math.max(0, ...rows.filter((row) => row.name.endsWith(".wasm")).map((row) => row.raw));
const line = (name, ...numbers) => console.log(name.padEnd(44) + numbers.map((number) => String(number).padStart(10)).join(""));
line("file", "raw", "gzip", "brotli");
for (const row of rows) line(row.name, row.raw, row.gzip, row.brotli);
line("first load", sum("raw"), sum("gzip"), sum("brotli"));
for (const row of later) line(`later/${row.name}`, row.raw, row.gzip, row.brotli);
line("later", sum("raw", later), sum("gzip", later), sum("brotli", later));
writeFileSync(
    figures,
    JSON.stringify(
        {
            first_load_brotli_bytes: sum("brotli"),
            first_load_gzip_bytes: sum("gzip"),
            wasm_raw_bytes: wasm,
            later_brotli_bytes: sum("brotli", later),
        },
        null,
        2,
    ) + "\n",
);
const faults = [];
if (wasm === 0) faults.push(`there is no module in ${dist}`);
if (sum("brotli") > BROTLI_BUDGET) faults.push(`the first load is ${sum("brotli")} bytes brotli; the budget is ${BROTLI_BUDGET}`);
if (wasm > WASM_BUDGET) faults.push(`the module is ${wasm} bytes; the budget is ${WASM_BUDGET}`);
for (const fault of faults) console.error(`error: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
