// Connections break; the page says so, keeps what it shows, and comes back by itself.

import assert from "node:assert/strict";

import { assertSameAsKubectl } from "./support/kubectl-table.mjs";
import { everywhere, scenario } from "./support/scenario.mjs";
import { look, row, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

/** Marks the document, to tell whether it was loaded anew. */
const mark = (page) => page.evaluate(() => (globalThis.sameDocument = true));
const isMarked = (page) => page.evaluate(() => globalThis.sameDocument === true);

everywhere("a proxy that is killed and started again is noticed, and nothing is lost", async (scene) => {
    scene.expectOutage();
    const { cluster, core } = scene;
    const [before, during] = [`before-${core}`, `during-${core}`];
    await cluster.remove("configmap", before, during, "-n", "platform");
    await cluster.kubectl("create", "configmap", before, "-n", "platform");
    scene.atEnd(() => cluster.remove("configmap", before, during, "-n", "platform"));
    const proxy = await scene.proxy();
    const page = await scene.open(proxy, "configmaps?namespace=platform");
    await untilLive(page);
    await until(() => row(page, before).count(), "the row is there");
    await mark(page);
    const { names } = await look(page);

    await proxy.stop();
    await untilPage(page, ({ health }) => health === "reconnecting" || health === "stale", "the page says that the connection is lost");
    assert.deepEqual((await look(page)).names, names, "what was shown is still shown");
    const lost = await untilPage(page, ({ trouble }) => trouble, "a banner says what is wrong");
    assert.equal(lost.trouble.panel, false, "the rows are not replaced by it");
    await cluster.kubectl("create", "configmap", during, "-n", "platform");
    await cluster.remove("configmap", before, "-n", "platform");
    assert.equal(await row(page, before).count(), 1, "the page cannot know yet");

    await proxy.start();
    await untilLive(page);
    await until(async () => (await row(page, during).count()) === 1 && (await row(page, before).count()) === 0, "what happened meanwhile is shown");
    await assertSameAsKubectl(page, cluster, "configmaps", { namespace: "platform" });
    await untilPage(page, ({ trouble }) => !trouble, "the banner is gone");
    assert.ok(await isMarked(page), "the document was not loaded anew");
});

everywhere("an API server that stops and starts again is noticed, and nothing is lost", async (scene) => {
    scene.expectOutage();
    const { cluster } = scene;
    const page = await scene.open(await scene.proxy(), "pods");
    await untilLive(page);
    await mark(page);
    const { count } = await look(page);
    scene.atEnd(() => cluster.start("kube-apiserver"));
    await cluster.stop("kube-apiserver");
    const state = await untilPage(page, ({ health }) => health === "reconnecting" || health === "stale", "the page says that the connection is lost");
    assert.equal(state.count, count, "the rows stay");
    await cluster.start("kube-apiserver");
    await untilLive(page);
    await assertSameAsKubectl(page, cluster, "pods");
    assert.ok(await isMarked(page), "the document was not loaded anew");
});

scenario("a connection that is lost for long is called stale, with the time since", async (scene) => {
    scene.expectOutage();
    const proxy = await scene.proxy();
    const page = await scene.open(proxy, "nodes");
    await untilLive(page);
    await proxy.stop();
    await untilPage(page, ({ health }) => health === "stale", "the page says that what it shows is old");
    await proxy.start();
    await untilLive(page);
});

for (const [way, ask] of [
    ["the button", (page) => page.getByRole("button", { name: "Try now" }).click()],
    ["the key r", (page) => page.keyboard.press("r")],
]) {
    scenario(`a person who asks for another try by ${way} does not wait for the next`, async (scene) => {
        scene.expectOutage();
        const meddler = await scene.meddler();
        const body = { kind: "Status", apiVersion: "v1", status: "Failure", code: 403, reason: "Forbidden", message: "not yet" };
        const refusal = meddler.meddle(({ path }) => path.endsWith("/nodes"), { status: 403, body });
        const page = await scene.open(meddler, "nodes");
        await untilPage(page, ({ health }) => health === "refused", "the refusal is shown");
        refusal.end();
        await ask(page);
        // By itself it would ask after a minute.
        await untilLive(page, 30_000);
    });
}

scenario("a page that is opened while nothing answers comes to life when something does", async (scene) => {
    scene.expectOutage();
    const meddler = await scene.meddler();
    const outage = meddler.meddle((exchange) => exchange.api, { status: 502, body: "the upstream is not there" });
    const page = await scene.open(meddler, "pods?namespace=shop");
    const { trouble } = await untilPage(page, ({ trouble }) => trouble, "the page says what is wrong");
    assert.ok(trouble.panel);
    outage.end();
    await untilLive(page);
    await assertSameAsKubectl(page, scene.cluster, "pods", { namespace: "shop" });
});
