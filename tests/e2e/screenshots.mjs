// Pictures of the page, for looking at: `npm run screenshots -- OUTDIR`. Nothing is asserted.

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

import { browser, closeBrowser } from "./support/browser.mjs";
import { sharedCluster } from "./support/cluster.mjs";
import { Meddler } from "./support/meddler.mjs";
import { Proxy } from "./support/proxy.mjs";
import { untilLive, untilPage } from "./support/table.mjs";

const folder = process.argv[2] && resolve(process.argv[2]);
if (!folder) {
    console.error("npm run screenshots -- OUTDIR");
    process.exit(2);
}
mkdirSync(folder, { recursive: true });

const SIZES = [[1480, 900], [1280, 720], [900, 600]];
const own = !process.env.PORTHOLE_TEST_CLUSTER_DIR;
const cluster = await sharedCluster();
const proxy = await Proxy.start({ kubeconfig: cluster.kubeconfig });
const restricted = await Proxy.start({ kubeconfig: cluster.kubeconfigOf("restricted") });
const meddler = await Meddler.start(proxy.port);
const { browser: running } = await browser();

/** A picture of a page that `prepare` has made ready, in both themes. */
async function picture(name, origin, route, prepare, [width, height] = SIZES[0]) {
    for (const colorScheme of ["dark", "light"]) {
        const context = await running.newContext({ colorScheme, viewport: { width, height } });
        const page = await context.newPage();
        await page.goto(`${origin}/static/#/${route}`);
        try {
            await prepare(page);
        } catch (error) {
            console.error(`${name}: ${error.message}`);
        }
        // New rows glow for a moment.
        await page.waitForTimeout(1500);
        const file = join(folder, `${name}-${width}x${height}-${colorScheme}.png`);
        await page.screenshot({ path: file });
        console.log(file);
        await context.close();
    }
}

const broken = (page) => untilPage(page, ({ trouble }) => trouble, "the page says what is wrong");

try {
    for (const size of SIZES) await picture("pods", proxy.origin, "pods", untilLive, size);
    await picture("shop", proxy.origin, "pods?namespace=shop&sort=-Restarts&wide", untilLive);
    await picture("products", proxy.origin, "products.catalog.porthole.example", untilLive);
    await picture("events", proxy.origin, "events", untilLive);
    await picture("empty", proxy.origin, "leases.coordination.k8s.io?namespace=shop", untilLive);
    await picture("nothing-matches", proxy.origin, "pods?filter=zzyzx", untilLive);
    await picture("namespaces", proxy.origin, "pods", async (page) => {
        await untilLive(page);
        await page.keyboard.press("n");
    });
    await picture("cursor", proxy.origin, "pods", async (page) => {
        await untilLive(page);
        for (let step = 0; step < 5; step += 1) await page.keyboard.press("j");
    });
    await picture("forbidden", restricted.origin, "pods", broken);
    await picture("forbidden", restricted.origin, "pods", broken, SIZES[2]);
    await picture("not-there", proxy.origin, "gizmos.example.com", broken);
    await picture("warning", proxy.origin, "endpoints", (page) => untilPage(page, ({ notices }) => notices.length > 0, "a warning is shown"));
    await picture("line-unreadable", meddler.origin, "configmaps", async (page) => {
        await untilLive(page);
        for (const watch of meddler.watches("configmaps")) watch.inject('{"type":');
        await untilPage(page, ({ banners }) => banners.length > 0, "a banner is shown");
    });
    await picture("lost", meddler.origin, "pods", async (page) => {
        await untilLive(page);
        const outage = meddler.meddle((exchange) => exchange.api, { status: 502, body: "the upstream is not there" });
        for (const watch of meddler.watches()) watch.cut();
        await broken(page);
        setTimeout(() => outage.end(), 3000);
    });
    const outage = meddler.meddle((exchange) => exchange.api, { status: 502, body: "the upstream is not there" });
    await picture("offline", meddler.origin, "pods", broken);
    outage.end();
    const silence = meddler.meddle((exchange) => exchange.api && exchange.path.endsWith("/pods"), { silent: "before" });
    await picture("loading", meddler.origin, "pods", (page) => untilPage(page, ({ nav }) => nav.length > 0, "the navigation is drawn"));
    silence.end();
} finally {
    await closeBrowser();
    await meddler.stop();
    await proxy.stop();
    await restricted.stop();
    if (own) await cluster.down();
}
process.exit(0);
