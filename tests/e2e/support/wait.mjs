// Waiting on conditions, never for a time.

import { LIMIT } from "./settings.mjs";

export const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** The first truthy value that `condition` gives; what it gave or threw last is in the error. */
export async function until(condition, what, limit = LIMIT) {
    const end = Date.now() + limit;
    for (;;) {
        let last;
        try {
            last = await condition();
            if (last) return last;
        } catch (error) {
            last = error;
        }
        if (Date.now() > end) {
            const seen = last instanceof Error ? last.message : JSON.stringify(last);
            throw new Error(`waited ${limit / 1000} s in vain: ${what}; last seen: ${seen}`);
        }
        await sleep(100);
    }
}
