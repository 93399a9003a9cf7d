// Runs the measurements of both sides in turn, prints them beside each other and writes their ratios.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const [ours, theirs, figures] = process.argv.slice(2);
const rounds = positive("ROUNDS", 5);
const seconds = positive("SECONDS_EACH", 0.5);

/** What is measured: its name on both sides, and what it is. */
const measurements = {
    queue_1: "queue: 1 producer, 1 worker",
    queue_8: "queue: 2 producers, 8 workers",
    queue_idle_1: "queue: one by one, 1 worker waits",
    queue_idle_8: "queue: one by one, 8 workers wait",
    queue_again: "queue: add again what is queued",
    delayed_add: "delayed: add while 100,000 wait",
    delayed_again: "delayed: add again what waits",
    delayed_due: "delayed: 100,000 due at once",
    delayed_spread: "delayed: 100,000 due within a second",
};
const costs = { wall_ns: "time", processor_ns: "processor" };
/** Its time is how late the last is, which says more of timers than of queues. */
const lateness = "delayed_spread";

function positive(name, otherwise) {
    const number = Number(process.env[name] ?? otherwise);
    if (!(number > 0)) throw new Error(`${name}=${process.env[name]}: say a number above zero`);
    return number;
}

function median(numbers) {
    const sorted = numbers.toSorted((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)];
}

function run(program, measurement) {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, GOMAXPROCS: "2" } };
    return JSON.parse(execFileSync(program, [measurement, String(seconds)], options));
}

const chosen = process.env.ONLY ? process.env.ONLY.split(/\s+/).filter(Boolean) : Object.keys(measurements);
for (const name of chosen) if (!(name in measurements)) throw new Error(`ONLY=${name}: there is ${Object.keys(measurements).join(", ")}`);

const runs = Object.fromEntries(chosen.map((name) => [name, { ours: [], theirs: [] }]));
for (let round = 1; round <= rounds; round++) {
    console.error(`round ${round} of ${rounds}`);
    for (const name of chosen) {
        // Who begins changes, so that neither always runs after the other.
        const sides = [["ours", ours], ["theirs", theirs]];
        if (round % 2 === 0) sides.reverse();
        for (const [side, program] of sides) runs[name][side].push(run(program, name));
    }
}

const line = (name, cost, ...cells) => console.log(name.padEnd(38) + cost.padEnd(11) + cells.map((cell) => cell.padStart(16)).join(""));
line("nanoseconds for an item, medians", "", "ours", "client-go", "ours/client-go", "from", "to");
const ratios = {};
for (const name of chosen) {
    for (const [cost, title] of Object.entries(costs)) {
        const late = name === lateness && cost === "wall_ns";
        const of = (side) => runs[name][side].map((run) => run[cost]);
        const [mine, other] = [median(of("ours")), median(of("theirs"))];
        // The sides of a round ran one after the other, so that what disturbed one mostly disturbed both.
        const each = of("ours").map((value, round) => value / of("theirs")[round]);
        const ratio = median(each);
        const shown = (value) => value.toFixed(value < 10 ? 2 : 0);
        line(
            measurements[name],
            late ? "late" : title,
            shown(mine),
            shown(other),
            ...[ratio, Math.min(...each), Math.max(...each)].map((value) => value.toFixed(2)),
        );
        const key = { wall_ns: late ? "late" : "time", processor_ns: "cpu" }[cost];
        ratios[`${name}_${key}_vs_client_go`] = ratio;
    }
}
// Of the two ways that controllers use it, the one that is worse for us.
const through = ["queue_1", "queue_8"].map((name) => ratios[`${name}_time_vs_client_go`]);
if (through.every((ratio) => ratio !== undefined)) ratios.workqueue_vs_client_go = Math.max(...through);
writeFileSync(figures, JSON.stringify(ratios, null, 2) + "\n");
console.error(`ratios are in ${figures}`);
