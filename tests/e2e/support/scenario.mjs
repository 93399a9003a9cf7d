// A test with all that it needs: a control plane, a proxy, faults, a browser. Whatever it started ends with it,
// and whatever the browser complained of fails it.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { browser, closeBrowser, listen } from "./browser.mjs";
import { Cluster, sharedCluster } from "./cluster.mjs";
import { Meddler } from "./meddler.mjs";
import { Proxy } from "./proxy.mjs";
import { PLACEMENTS } from "./settings.mjs";

/** The demo load has a group whose server is gone; it is asked alone now and then, and the browser logs each answer. */
const DEAD_GROUP = /Failed to load resource.*\/apis\/metrics\.k8s\.io\//;
const OUTAGE = [/Failed to load resource/, /net::ERR_/, /Failed to fetch/];

after(closeBrowser);

class Scene {
    core = "shared";
    #ends = [];
    #expected = [DEAD_GROUP];
    #problems = [];
    #pages = [];

    constructor(cluster) {
        this.cluster = cluster;
    }

    /** Does this when the test is over, the latest first. */
    atEnd(end) {
        this.#ends.push(end);
    }

    /** The browser may complain in these words. */
    expect(...patterns) {
        this.#expected.push(...patterns);
    }

    /** Requests may fail: the browser logs that by itself, and nothing can keep it from doing so. */
    expectOutage() {
        this.expect(...OUTAGE);
    }

    async proxy(options = {}) {
        const proxy = await Proxy.start({ kubeconfig: this.cluster.kubeconfig, ...options });
        this.atEnd(() => proxy.stop());
        return proxy;
    }

    /** A meddler before a proxy; a new one where none is given. */
    async meddler(proxy) {
        const upstream = proxy ?? (await this.proxy());
        const meddler = await Meddler.start(upstream.port);
        this.atEnd(() => meddler.stop());
        return meddler;
    }

    /** Another control plane, small and empty. */
    async otherCluster(...options) {
        const cluster = await Cluster.up("--nodes", "1", ...options);
        this.atEnd(() => cluster.down());
        return cluster;
    }

    /** A browser with nothing stored. */
    async context(options = {}) {
        const { browser: running } = await browser();
        const context = await running.newContext({ viewport: { width: 1480, height: 900 }, ...options });
        this.atEnd(() => context.close());
        return context;
    }

    /** The shared workers of the browser. */
    async workers() {
        return (await browser()).workers;
    }

    /** A tab without an address. */
    async blank(context) {
        const page = await (context ?? (await this.context())).newPage();
        this.#pages.push(page);
        listen(page, (problem) => this.#problems.push(problem));
        return page;
    }

    /** A tab that shows `route`, such as `pods?namespace=shop`. */
    async open(place, route = "pods", { context, core = this.core } = {}) {
        const page = await this.blank(context);
        await page.goto(address(place, route, core));
        return page;
    }

    async picture(name) {
        const folder = process.env.PORTHOLE_TEST_PICTURES;
        if (!folder) return;
        mkdirSync(folder, { recursive: true });
        for (const [at, page] of this.#pages.entries()) {
            const path = join(folder, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}-${at}.png`);
            await page.screenshot({ path, timeout: 5000 }).catch(() => {});
        }
    }

    async end() {
        const failures = [];
        for (const end of this.#ends.reverse()) {
            try {
                await end();
            } catch (error) {
                failures.push(error);
            }
        }
        return failures;
    }

    async unexpected() {
        const faults = await (await this.workers()).faults();
        return [...this.#problems, ...faults].filter((problem) => !this.#expected.some((pattern) => pattern.test(problem)));
    }
}

/** The address of a route at a proxy or a meddler. */
export function address(place, route, core) {
    return `${place.origin}/static/?core=${core}#/${route}`;
}

/** A test. Its body gets the scene. */
export function scenario(name, body, { core = "shared", timeout = 240_000 } = {}) {
    test(name, { timeout }, async () => {
        const scene = new Scene(await sharedCluster());
        scene.core = core;
        let failure;
        try {
            await body(scene);
        } catch (error) {
            failure = error;
            await scene.picture(name);
        }
        const problems = await scene.unexpected();
        const failures = await scene.end();
        if (failure) {
            if (problems.length > 0) failure.message += `\nThe browser also said: ${problems.join("\n")}`;
            throw failure;
        }
        if (problems.length > 0) throw new Error(`the browser complained: ${problems.join("\n")}`);
        if (failures.length > 0) throw failures[0];
    });
}

/** A test for each place where the core can run. */
export function everywhere(name, body, options = {}) {
    for (const core of PLACEMENTS) scenario(`${name} (core: ${core})`, body, { ...options, core });
}
