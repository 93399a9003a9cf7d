// What a browser remembers of a cluster, and that it is never taken for another's.

import assert from "node:assert/strict";

import { assertSameAsKubectl } from "./support/kubectl-table.mjs";
import { everywhere, scenario } from "./support/scenario.mjs";
import { look, row, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

const identity = async (cluster) => (await cluster.json("get", "namespace", "kube-system")).metadata.uid;
const stored = (page) => page.evaluate(() => Object.keys(localStorage));

everywhere("a second visit draws the navigation from storage, called last seen, until the server confirms it", async (scene) => {
    scene.expectOutage();
    const [meddler, context] = [await scene.meddler(), await scene.context()];
    const first = await scene.open(meddler, "nodes", { context });
    await untilLive(first);
    const { nav } = await look(first);
    await until(async () => (await stored(first)).some((key) => key.endsWith("/catalog")), "the cluster is stored");
    await first.close();

    const outage = meddler.meddle((exchange) => exchange.api, { silent: "before" });
    const page = await scene.open(meddler, "nodes", { context });
    const state = await untilPage(page, ({ nav }) => nav.length > 0, "the navigation is drawn");
    assert.deepEqual(state.nav, nav);
    assert.ok(state.lastSeen, "it is called last seen");
    assert.ok(state.oldNav, "and looks like it");
    assert.notEqual(state.health, "live");
    outage.end();
    for (const exchange of meddler.exchanges) if (!exchange.closed && exchange.api) exchange.cut();
    await untilLive(page);
    await untilPage(page, ({ lastSeen, oldNav }) => !lastSeen && !oldNav, "it is confirmed");
    await assertSameAsKubectl(page, scene.cluster, "nodes");
});

scenario("a second visit while the proxy's upstream is away says last seen and what is wrong", async (scene) => {
    scene.expectOutage();
    const [meddler, context] = [await scene.meddler(), await scene.context()];
    const first = await scene.open(meddler, "nodes", { context });
    await untilLive(first);
    await first.close();
    const outage = meddler.meddle((exchange) => exchange.api, { status: 502, body: "no upstream" });
    const page = await scene.open(meddler, "nodes", { context });
    const state = await untilPage(page, ({ trouble }) => trouble, "the page says what is wrong");
    assert.ok(state.lastSeen);
    assert.ok(state.nav.length > 40);
    assert.ok(state.trouble.panel);
    outage.end();
    await untilLive(page);
    await untilPage(page, ({ lastSeen, trouble }) => !lastSeen && !trouble, "all is well");
});

scenario("a resource that was defined since the last visit is in the navigation", async (scene) => {
    const [meddler, context] = [await scene.meddler(), await scene.context()];
    const without = meddler.meddle(({ path }) => path === "/apis", {
        change: (text) => {
            const groups = JSON.parse(text);
            groups.items = groups.items.filter(({ metadata }) => metadata.name !== "catalog.porthole.example");
            return JSON.stringify(groups);
        },
        addHeaders: { etag: '"another"' },
    });
    const first = await scene.open(meddler, "nodes", { context });
    await untilLive(first);
    assert.ok(!(await look(first)).nav.includes("products.catalog.porthole.example"));
    await first.close();
    without.end();
    const page = await scene.open(meddler, "nodes", { context });
    await untilPage(page, ({ nav, lastSeen }) => nav.includes("products.catalog.porthole.example") && !lastSeen, "the navigation has it");
});

scenario("storage that holds nonsense is as good as none", async (scene) => {
    const [proxy, context] = [await scene.proxy(), await scene.context()];
    const first = await scene.open(proxy, "nodes", { context });
    await untilLive(first);
    await first.evaluate(() => {
        for (const key of Object.keys(localStorage)) localStorage.setItem(key, key.endsWith("catalog") ? '{"groups":17}' : "\u0000}");
    });
    await first.close();
    const page = await scene.open(proxy, "nodes", { context });
    await untilLive(page);
    await assertSameAsKubectl(page, scene.cluster, "nodes");
});

/** Remembers every name of a row that is ever in the document from now on. */
const keepWatch = (page) =>
    page.evaluate(() => {
        const names = (globalThis.namesSeen = new Set());
        const look = () => {
            for (const row of document.querySelectorAll(".rows > .tr:not(.off)")) names.add(row.dataset.name);
        };
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
        look();
    });

everywhere("another cluster behind the same address drops all that was shown and known of the first", async (scene) => {
    scene.expectOutage();
    const other = await scene.otherCluster();
    await other.kubectl("create", "namespace", "elsewhere");
    await other.kubectl("create", "configmap", "of-the-second", "-n", "elsewhere");
    const [firstId, secondId] = await Promise.all([identity(scene.cluster), identity(other)]);
    const proxy = await scene.proxy();
    const page = await scene.open(proxy, "configmaps");
    await untilLive(page);
    await untilPage(page, ({ nav }) => nav.includes("products.catalog.porthole.example"), "the first cluster's resources are there");
    await proxy.stop();
    await proxy.start({ kubeconfig: other.kubeconfig });
    await until(() => row(page, "of-the-second").count(), "the second cluster's rows are shown");
    await keepWatch(page);
    const state = await untilPage(page, ({ health, nav, cluster }) => health === "live" && nav.length > 0 && cluster.includes(secondId.split("-")[0]), "the second cluster is live");
    assert.ok(!state.nav.includes("products.catalog.porthole.example"), "the first cluster's resources are gone");
    await assertSameAsKubectl(page, other, "configmaps");
    const seen = new Set(await page.evaluate(() => [...globalThis.namesSeen]));
    const mine = new Set((await other.json("get", "configmaps", "-A")).items.map(({ metadata }) => metadata.name));
    assert.deepEqual([...seen].filter((name) => !mine.has(name)), [], "no row of the first was there since");
    const last = await page.evaluate(() => localStorage.getItem("porthole/last-cluster"));
    assert.ok(last.includes(secondId) && !last.includes(firstId), "the second is the one that is remembered");
});

scenario("a page that is opened anew on another cluster never shows a row of the first", async (scene) => {
    scene.expectOutage();
    const other = await scene.otherCluster();
    await other.kubectl("create", "configmap", "of-the-second", "-n", "default");
    const [proxy, context] = [await scene.proxy(), await scene.context()];
    const first = await scene.open(proxy, "configmaps", { context });
    await untilLive(first);
    await first.close();
    await proxy.stop();
    await proxy.start({ kubeconfig: other.kubeconfig });
    const page = await scene.blank(context);
    await page.addInitScript(() => {
        globalThis.namesSeen = new Set();
        new MutationObserver(() => {
            for (const row of document.querySelectorAll(".rows > .tr:not(.off)")) globalThis.namesSeen.add(row.dataset.name);
        }).observe(document, { subtree: true, childList: true, attributes: true });
    });
    await page.goto(`${proxy.origin}/static/?core=shared#/configmaps`);
    await untilLive(page);
    await untilPage(page, ({ nav, lastSeen }) => nav.length > 0 && !nav.includes("products.catalog.porthole.example") && !lastSeen, "the navigation is the second cluster's");
    await assertSameAsKubectl(page, other, "configmaps");
    const seen = await page.evaluate(() => [...globalThis.namesSeen]);
    const mine = new Set((await other.json("get", "configmaps", "-A")).items.map(({ metadata }) => metadata.name));
    assert.ok(seen.includes("of-the-second"));
    assert.deepEqual(seen.filter((name) => !mine.has(name)), []);
});

scenario("a second tab on another cluster turns the first, whose connection went unnoticed", async (scene) => {
    scene.expectOutage();
    const other = await scene.otherCluster();
    const [proxy, context] = [await scene.proxy(), await scene.context()];
    const first = await scene.open(proxy, "nodes", { context });
    await untilLive(first);
    await proxy.stop();
    await proxy.start({ kubeconfig: other.kubeconfig });
    const second = await scene.open(proxy, "nodes", { context });
    await untilLive(second);
    for (const page of [first, second]) await assertSameAsKubectl(page, other, "nodes");
});
