// What happens in the cluster happens in the page.

import assert from "node:assert/strict";

import { assertSameAsKubectl } from "./support/kubectl-table.mjs";
import { everywhere, scenario } from "./support/scenario.mjs";
import { cell, row, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

const product = (name, title) => ({
    apiVersion: "catalog.porthole.example/v1",
    kind: "Product",
    metadata: { name, namespace: "platform" },
    spec: { title },
});

everywhere("what is created, patched and deleted shows up, changes and vanishes", async (scene) => {
    const { cluster, core } = scene;
    const name = `kettle-${core}`;
    scene.atEnd(() => cluster.remove("products.catalog.porthole.example", name, "-n", "platform"));
    const page = await scene.open(await scene.proxy(), "products.catalog.porthole.example?namespace=platform");
    await untilLive(page);
    assert.equal(await row(page, name).count(), 0);
    await cluster.apply(product(name, "A kettle"));
    await until(async () => (await cell(page, name, "Title")) === "A kettle", "the new row is there");
    const id = await row(page, name).getAttribute("data-row");
    await cluster.kubectl("patch", "products.catalog.porthole.example", name, "-n", "platform", "--type=merge", "-p", '{"spec":{"title":"A better kettle"}}');
    await until(async () => (await cell(page, name, "Title")) === "A better kettle", "its cell has changed");
    assert.equal(await row(page, name).getAttribute("data-row"), id, "it is the same row");
    await cluster.remove("products.catalog.porthole.example", name, "-n", "platform");
    await until(async () => (await row(page, name).count()) === 0, "the row is gone");
});

scenario("a deployment that is scaled shows its new count, and its pods come and go", async (scene) => {
    const { cluster } = scene;
    const proxy = await scene.proxy();
    const context = await scene.context();
    scene.atEnd(() => cluster.remove("deployment", "scaled", "-n", "platform"));
    await cluster.kubectl("create", "deployment", "scaled", "-n", "platform", "--image=example/scaled", "--replicas=1");
    const deployments = await scene.open(proxy, "deployments.apps?namespace=platform", { context });
    const pods = await scene.open(proxy, "pods?namespace=platform&filter=scaled-", { context });
    await untilPage(pods, ({ names }) => names.length === 1, "one pod is shown");
    await until(async () => (await cell(deployments, "scaled", "Ready")) === "1/1", "one of one is ready");
    await cluster.kubectl("scale", "deployment", "scaled", "-n", "platform", "--replicas=3");
    await until(async () => (await cell(deployments, "scaled", "Ready")) === "3/3", "three of three are ready");
    await untilPage(pods, ({ names }) => names.length === 3, "three pods are shown");
    await cluster.kubectl("scale", "deployment", "scaled", "-n", "platform", "--replicas=0");
    await until(async () => (await cell(deployments, "scaled", "Ready")) === "0/0", "none of none is ready");
    await untilPage(pods, ({ names }) => names.length === 0, "no pod is shown");
});

scenario("an object that is deleted and made again under its name is a new row", async (scene) => {
    const { cluster } = scene;
    scene.atEnd(() => cluster.remove("configmap", "phoenix", "-n", "platform"));
    await cluster.kubectl("create", "configmap", "phoenix", "-n", "platform", "--from-literal=a=1");
    const page = await scene.open(await scene.proxy(), "configmaps?namespace=platform");
    await until(async () => (await cell(page, "phoenix", "Data")) === "1", "it is there");
    const id = await row(page, "phoenix").getAttribute("data-row");
    await cluster.remove("configmap", "phoenix", "-n", "platform");
    await cluster.kubectl("create", "configmap", "phoenix", "-n", "platform", "--from-literal=a=1", "--from-literal=b=2");
    await until(async () => (await cell(page, "phoenix", "Data")) === "2", "the new one is there");
    assert.equal(await row(page, "phoenix").count(), 1);
    assert.notEqual(await row(page, "phoenix").getAttribute("data-row"), id);
});

scenario("a pod that waits for a finalizer says Terminating until it is really gone", async (scene) => {
    const { cluster } = scene;
    await cluster.apply({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "held", namespace: "platform", finalizers: ["porthole.example/held"] },
    });
    const release = () => cluster.tryKubectl("patch", "configmap", "held", "-n", "platform", "--type=merge", "-p", '{"metadata":{"finalizers":null}}');
    scene.atEnd(async () => {
        await release();
        await cluster.remove("configmap", "held", "-n", "platform");
    });
    const page = await scene.open(await scene.proxy(), "configmaps?namespace=platform");
    await until(() => row(page, "held").count(), "it is there");
    await cluster.remove("configmap", "held", "-n", "platform");
    await until(async () => /\bleaving\b/.test(await row(page, "held").getAttribute("class")), "its row shows that it is going");
    await release();
    await until(async () => (await row(page, "held").count()) === 0, "the row is gone");
});

scenario("two hundred changes at once leave the table equal to kubectl's", async (scene) => {
    const { cluster } = scene;
    const names = Array.from({ length: 200 }, (_, number) => `burst-${number}`);
    const map = (name, data) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "batch", labels: { burst: "yes" } }, data });
    scene.atEnd(() => cluster.remove("configmap", "-n", "batch", "-l", "burst=yes"));
    const page = await scene.open(await scene.proxy(), "configmaps?namespace=batch");
    await untilLive(page);
    await cluster.apply({ apiVersion: "v1", kind: "List", items: names.map((name) => map(name, { a: "1" })) });
    await assertSameAsKubectl(page, cluster, "configmaps", { namespace: "batch" });
    await Promise.all([
        cluster.apply({ apiVersion: "v1", kind: "List", items: names.slice(0, 100).map((name) => map(name, { a: "1", b: "2" })) }),
        cluster.remove("configmap", "-n", "batch", ...names.slice(100)),
    ]);
    const { compared } = await assertSameAsKubectl(page, cluster, "configmaps", { namespace: "batch" });
    assert.ok(compared >= 100);
});
