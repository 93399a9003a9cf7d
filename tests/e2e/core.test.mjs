// The core dies; its pages notice, and go on with another.

import assert from "node:assert/strict";

import { assertSameAsKubectl } from "./support/kubectl-table.mjs";
import { scenario } from "./support/scenario.mjs";
import { keepHealth, look, row, untilLive } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

const MAPS = "configmaps?namespace=platform";

const mark = (page) => page.evaluate(() => (globalThis.sameDocument = true));

/** The table follows the cluster again, in the same document. */
async function goesOn(scene, page, name) {
    scene.atEnd(() => scene.cluster.remove("configmap", name, "-n", "platform"));
    await scene.cluster.kubectl("create", "configmap", name, "-n", "platform");
    await until(() => row(page, name).count(), "the table follows the cluster again");
    await untilLive(page);
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
    assert.ok(await page.evaluate(() => globalThis.sameDocument === true), "the document was not loaded anew");
}

scenario("a shared worker that is ended is replaced, for all its tabs", async (scene) => {
    const [proxy, context] = [await scene.proxy(), await scene.context()];
    const pages = [];
    for (let tab = 0; tab < 2; tab += 1) {
        const page = await scene.open(proxy, MAPS, { context });
        await untilLive(page);
        await mark(page);
        pages.push(page);
    }
    const workers = await scene.workers();
    const [before] = await workers.list();
    assert.equal(await workers.kill(), 1);
    await until(async () => {
        const found = await workers.list();
        return found.length >= 1 && found.every(({ targetId }) => targetId !== before.targetId);
    }, "another shared worker runs");
    for (const [at, page] of pages.entries()) {
        await goesOn(scene, page, `after-the-worker-${at}`);
        assert.match((await look(page)).placement, /shared by all tabs/);
    }
    assert.equal((await workers.list()).length, 1, "one for both");
});

scenario("a shared worker that hangs is noticed, said, and replaced", async (scene) => {
    const [proxy, context] = [await scene.proxy(), await scene.context()];
    const page = await scene.open(proxy, MAPS, { context });
    await untilLive(page);
    await mark(page);
    const { names } = await look(page);
    const workers = await scene.workers();
    const health = await keepHealth(page);
    const hang = workers.run("for (;;);");
    await until(async () => (await health()).includes("restarting"), "the page says that the core is started again");
    assert.deepEqual((await look(page)).names, names, "what was shown stays");
    await hang;
    await goesOn(scene, page, "after-the-hang");
});

scenario("a worker of the tab that closes itself is replaced", async (scene) => {
    const page = await scene.open(await scene.proxy(), MAPS, { core: "worker" });
    await untilLive(page);
    await mark(page);
    assert.equal(page.workers().length, 1);
    const [before] = page.workers();
    const health = await keepHealth(page);
    await before.evaluate(() => globalThis.close()).catch(() => {});
    await until(async () => (await health()).includes("restarting"), "the page says that the core is started again");
    await until(() => page.workers().some((worker) => worker !== before), "another worker runs");
    await goesOn(scene, page, "after-the-close");
});

scenario("where there are no shared workers the core runs in a worker of the tab", async (scene) => {
    const page = await scene.blank();
    await page.addInitScript(() => delete globalThis.SharedWorker);
    const proxy = await scene.proxy();
    await page.goto(`${proxy.origin}/static/#/${MAPS}`);
    await untilLive(page);
    assert.match((await look(page)).placement, /worker of this tab/);
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
});

scenario("where there are no workers at all the core runs in the page", async (scene) => {
    const page = await scene.blank();
    await page.addInitScript(() => {
        delete globalThis.SharedWorker;
        delete globalThis.Worker;
    });
    const proxy = await scene.proxy();
    await page.goto(`${proxy.origin}/static/#/${MAPS}`);
    await untilLive(page);
    assert.match((await look(page)).placement, /in this page/);
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
});

scenario("where nothing may be stored the page works all the same", async (scene) => {
    const page = await scene.blank();
    await page.addInitScript(() =>
        Object.defineProperty(globalThis, "localStorage", {
            get() {
                throw new DOMException("denied", "SecurityError");
            },
        }),
    );
    const proxy = await scene.proxy();
    await page.goto(`${proxy.origin}/static/#/${MAPS}`);
    await untilLive(page);
    await assertSameAsKubectl(page, scene.cluster, "configmaps", { namespace: "platform" });
});
