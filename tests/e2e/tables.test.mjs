// The tables are the server's: every cell is what kubectl prints.

import assert from "node:assert/strict";

import { assertSameAsKubectl, kubectlTable } from "./support/kubectl-table.mjs";
import { sharedCluster } from "./support/cluster.mjs";
import { everywhere, scenario } from "./support/scenario.mjs";
import { cell, look, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

// Before the first test: one that is declared while others run may come after the end of the file.
const definitions = JSON.parse(await (await sharedCluster()).kubectl("get", "crd", "-o", "json"));

for (const resource of ["pods", "deployments.apps", "nodes", "events"]) {
    everywhere(`every cell of the table of ${resource} is what kubectl prints`, async (scene) => {
        const page = await scene.open(await scene.proxy(), resource);
        await untilLive(page);
        const { compared } = await assertSameAsKubectl(page, scene.cluster, resource);
        assert.ok(compared > 0, "there were rows to compare");
    });
}

for (const { metadata } of definitions.items) {
    scenario(`every cell of the table of the custom resource ${metadata.name} is what kubectl prints`, async (scene) => {
        const page = await scene.open(await scene.proxy(), metadata.name);
        await untilLive(page);
        const { compared } = await assertSameAsKubectl(page, scene.cluster, metadata.name);
        assert.ok(compared > 0, "there were rows to compare");
    });
}

scenario("every resource in the navigation has a table that equals kubectl's", async (scene) => {
    const page = await scene.open(await scene.proxy(), "configmaps");
    await untilLive(page);
    const { nav } = await look(page);
    assert.ok(nav.length > 40, `${nav.length} resources are in the navigation`);
    const watched = await watchable(scene.cluster);
    const failures = [];
    for (const resource of nav.filter((resource) => watched.has(resource))) {
        await page.locator(`nav a[data-resource="${resource}"]`).click();
        try {
            await untilLive(page, 20_000);
            await assertSameAsKubectl(page, scene.cluster, resource, { limit: 20_000 });
        } catch (error) {
            failures.push(`${resource}: ${error.message}`);
        }
    }
    assert.equal(failures.join("\n"), "");
}, { timeout: 600_000 });

/** The resources that can be watched, as `plural.group`. */
async function watchable(cluster) {
    const printed = await cluster.tryKubectl("api-resources", "--verbs=list,watch", "-o", "name");
    return new Set(printed.stdout.split("\n").filter(Boolean));
}

scenario("a resource that cannot be watched is listed without an error", async (scene) => {
    const page = await scene.open(await scene.proxy(), "componentstatuses");
    await untilPage(page, ({ count }) => count === "3", "its three rows are there");
    await assertSameAsKubectl(page, scene.cluster, "componentstatuses");
    const { health, banners, trouble } = await look(page);
    assert.deepEqual({ banners, trouble }, { banners: [], trouble: null }, "nothing is wrong with it");
    assert.notEqual(health, "refused");
});

everywhere("ages go on without any request", async (scene) => {
    const meddler = await scene.meddler();
    await scene.cluster.kubectl("create", "configmap", "just-made", "-n", "platform");
    scene.atEnd(() => scene.cluster.remove("configmap", "just-made", "-n", "platform"));
    const page = await scene.open(meddler, "configmaps?namespace=platform");
    await untilLive(page);
    const first = await until(() => cell(page, "just-made", "Age"), "the row is there");
    assert.match(first, /^\d+s$/);
    const asked = () => meddler.exchanges.filter(({ path }) => path.endsWith("/configmaps")).length;
    const before = asked();
    await until(async () => {
        const age = await cell(page, "just-made", "Age");
        return Number.parseInt(age, 10) >= Number.parseInt(first, 10) + 3;
    }, "the age has gone on by three seconds");
    assert.equal(asked(), before, "nobody asked for the table again");
});

scenario("the table of a namespace has no column for it, and holds its rows only", async (scene) => {
    const page = await scene.open(await scene.proxy(), "pods?namespace=shop");
    await untilLive(page);
    const { compared } = await assertSameAsKubectl(page, scene.cluster, "pods", { namespace: "shop" });
    assert.ok(compared > 0);
});

scenario("a resource without objects says so", async (scene) => {
    const page = await scene.open(await scene.proxy(), "leases.coordination.k8s.io?namespace=shop");
    const state = await until(async () => {
        const state = await look(page);
        return state.nothing && state;
    }, "the page says that there are none");
    assert.equal(state.count, "0");
    const { rows } = await kubectlTable(scene.cluster, "leases.coordination.k8s.io", { namespace: "shop" });
    assert.equal(rows.size, 0);
});
