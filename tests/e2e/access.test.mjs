// What a person may not see, and what is not there.

import assert from "node:assert/strict";

import { assertSameAsKubectl } from "./support/kubectl-table.mjs";
import { everywhere, scenario } from "./support/scenario.mjs";
import { look, row, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

const restricted = (scene) => scene.proxy({ kubeconfig: scene.cluster.kubeconfigOf("restricted") });

everywhere("who may not list in all namespaces types one, and finds it again after a reload", async (scene) => {
    scene.expectOutage();
    const page = await scene.open(await restricted(scene), "pods");
    const { trouble } = await untilPage(page, ({ trouble }) => trouble, "the refusal is shown");
    assert.equal(trouble.code, "403");
    assert.ok(trouble.panel, "it stands instead of the rows");
    assert.match(trouble.text, /forbidden/i, "in the server's words");
    await page.locator("#namespace-form").fill("shop");
    await page.locator("#namespace-form").press("Enter");
    await untilLive(page);
    await untilPage(page, ({ trouble }) => !trouble, "the panel is gone");
    await assertSameAsKubectl(page, scene.cluster, "pods", { namespace: "shop" });
    await page.reload();
    await untilLive(page);
    assert.match((await look(page)).hash, /namespace=shop/);
    await assertSameAsKubectl(page, scene.cluster, "pods", { namespace: "shop" });
});

/** Types `shop` where all namespaces are refused; gives back what the panel said. */
async function typeShop(page) {
    const { trouble } = await untilPage(page, ({ trouble }) => trouble?.code === "403", "the refusal is shown");
    await page.locator("#namespace-form").fill("shop");
    await page.locator("#namespace-form").press("Enter");
    await untilLive(page);
    return trouble.text;
}

/** The namespaces that a page opened anew offers. */
async function offered(scene, proxy, context) {
    const page = await scene.open(proxy, "", { context });
    await untilPage(page, ({ nav }) => nav.length > 0, "the navigation is drawn");
    await page.locator("#namespace").click();
    const chooser = page.locator("dialog");
    await until(async () => /may not be listed/.test(await chooser.textContent()), "the chooser says that it knows no namespaces");
    return chooser.locator("[role=option] .title").allTextContents();
}

scenario("a typed namespace is offered to whoever opens the page again", async (scene) => {
    scene.expectOutage();
    const { cluster } = scene;
    scene.atEnd(() => cluster.remove("clusterrole,clusterrolebinding", "e2e-identity"));
    // Whoever may read the identity of the cluster, and no more.
    await cluster.kubectl("create", "clusterrole", "e2e-identity", "--verb=get", "--resource=namespaces", "--resource-name=kube-system");
    await cluster.kubectl("create", "clusterrolebinding", "e2e-identity", "--clusterrole=e2e-identity", "--user=restricted");
    const [proxy, context] = [await restricted(scene), await scene.context()];
    const first = await scene.open(proxy, "pods", { context });
    await typeShop(first);
    await first.close();
    assert.ok((await offered(scene, proxy, context)).includes("shop"), "the namespace is offered");
});

scenario("a promise to remember a namespace is made only where it is kept", async (scene) => {
    scene.expectOutage();
    const [proxy, context] = [await restricted(scene), await scene.context()];
    const first = await scene.open(proxy, "pods", { context });
    const words = await typeShop(first);
    await first.close();
    assert.equal((await offered(scene, proxy, context)).includes("shop"), /is remembered/.test(words));
});

everywhere("the chooser says that the namespaces may not be listed, and takes a typed one", async (scene) => {
    scene.expectOutage();
    const page = await scene.open(await restricted(scene), "pods?namespace=shop");
    await untilLive(page);
    await page.keyboard.press("n");
    const chooser = page.locator("dialog");
    await until(async () => /may not be listed/.test(await chooser.textContent()), "the chooser says so");
    await chooser.locator("input").fill("payments");
    await chooser.locator("input").press("Enter");
    const { trouble } = await untilPage(page, ({ trouble }) => trouble, "the other namespace is refused");
    assert.equal(trouble.code, "403");
    assert.match((await look(page)).hash, /namespace=payments/);
    await page.locator("#namespace-form").fill("shop");
    await page.locator("#namespace-form").press("Enter");
    await untilLive(page);
});

scenario("rows that a person could see are not left standing when another namespace is refused", async (scene) => {
    scene.expectOutage();
    const page = await scene.open(await restricted(scene), "pods?namespace=shop");
    await untilLive(page);
    assert.ok((await look(page)).names.length > 0);
    await page.evaluate(() => (location.hash = "#/pods?namespace=payments"));
    const state = await untilPage(page, ({ trouble }) => trouble?.code === "403", "the other namespace is refused");
    assert.deepEqual(state.names, []);
});

scenario("who may not read one resource reads the others", async (scene) => {
    scene.expectOutage();
    const page = await scene.open(await scene.proxy({ kubeconfig: scene.cluster.kubeconfigOf("reader") }), "secrets");
    await untilPage(page, ({ trouble }) => trouble?.code === "403", "secrets are refused");
    await page.locator('nav a[data-resource="pods"]').click();
    await untilLive(page);
    await untilPage(page, ({ trouble }) => !trouble, "the refusal is gone");
    await assertSameAsKubectl(page, scene.cluster, "pods");
});

scenario("a right that is given later opens the table when it is asked for again", async (scene) => {
    scene.expectOutage();
    const { cluster } = scene;
    await cluster.remove("rolebinding", "late-right", "-n", "payments");
    const page = await scene.open(await restricted(scene), "pods?namespace=payments");
    await untilPage(page, ({ trouble }) => trouble?.code === "403", "it is refused");
    scene.atEnd(() => cluster.remove("rolebinding", "late-right", "-n", "payments"));
    await cluster.kubectl("create", "rolebinding", "late-right", "-n", "payments", "--clusterrole=view", "--user=restricted");
    await until(async () => {
        await page.getByRole("button", { name: "Try now" }).click({ timeout: 1000 }).catch(() => {});
        return (await look(page)).health === "live";
    }, "the table is live");
    await assertSameAsKubectl(page, cluster, "pods", { namespace: "payments" });
});

everywhere("a resource that does not exist is said not to be there", async (scene) => {
    const page = await scene.open(await scene.proxy(), "gizmos.example.com");
    const { trouble } = await untilPage(page, ({ trouble }) => trouble, "the page says so");
    assert.equal(trouble.code, "404");
    assert.match(trouble.text, /gizmos\.example\.com/);
    await page.locator('nav a[data-resource="pods"]').click();
    await untilLive(page);
    await untilPage(page, ({ trouble, names }) => !trouble && names.length > 0, "other tables are as ever");
});

const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "gadgets.e2e.porthole.example" },
    spec: {
        group: "e2e.porthole.example",
        scope: "Namespaced",
        names: { plural: "gadgets", singular: "gadget", kind: "Gadget", listKind: "GadgetList" },
        versions: [
            {
                name: "v1",
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: "object", properties: { size: { type: "integer" } } } },
                additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".size" }],
            },
        ],
    },
};
const gadget = (name, size) => ({ apiVersion: "e2e.porthole.example/v1", kind: "Gadget", metadata: { name, namespace: "shop" }, size });

async function define(cluster) {
    await cluster.apply(definition);
    await cluster.kubectl("wait", "--for=condition=Established", "crd", definition.metadata.name);
    // The definition is served a moment after it is called established.
    await until(async () => (await cluster.tryKubectl("get", "gadgets.e2e.porthole.example", "-A")).code === 0, "the resource is served");
}

/** Defines the resource until the scene ends, and opens its table with one object in it. */
async function openDefined(scene) {
    scene.expectOutage();
    scene.atEnd(() => scene.cluster.remove("crd", definition.metadata.name));
    await define(scene.cluster);
    await scene.cluster.apply(gadget("one", 1));
    const page = await scene.open(await scene.proxy(), "gadgets.e2e.porthole.example");
    await until(() => row(page, "one").count(), "the object is shown");
    return page;
}

scenario("a definition that is deleted while its table is open, and made again, is noticed both times", async (scene) => {
    const { cluster } = scene;
    const page = await openDefined(scene);
    await untilLive(page);
    assert.ok((await look(page)).nav.includes("gadgets.e2e.porthole.example"));

    await cluster.kubectl("delete", "crd", definition.metadata.name);
    await until(async () => (await row(page, "one").count()) === 0, "the object is gone");
    await untilPage(page, ({ trouble }) => trouble?.code === "404", "the page says that the resource is not there");
    // Discovery is asked again every half a minute.
    await untilPage(page, ({ nav }) => !nav.includes("gadgets.e2e.porthole.example"), "it is gone from the navigation", 120_000);

    await define(cluster);
    await cluster.apply(gadget("two", 2));
    await untilPage(page, ({ nav }) => nav.includes("gadgets.e2e.porthole.example"), "it is in the navigation again", 120_000);
    await until(() => row(page, "two").count(), "the new object is shown", 120_000);
    await assertSameAsKubectl(page, cluster, "gadgets.e2e.porthole.example");
});

scenario("a definition whose columns change shows the new ones", async (scene) => {
    const { cluster } = scene;
    const page = await openDefined(scene);
    const other = structuredClone(definition);
    other.spec.versions[0].additionalPrinterColumns = [
        { name: "Girth", type: "integer", jsonPath: ".size" },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
    ];
    await cluster.apply(other);
    await until(async () => {
        const printed = await cluster.kubectl("get", "gadgets.e2e.porthole.example", "-A");
        return printed.includes("GIRTH");
    }, "kubectl prints the new columns");
    await cluster.kubectl("annotate", "gadgets.e2e.porthole.example", "one", "-n", "shop", "touched=yes");
    await assertSameAsKubectl(page, cluster, "gadgets.e2e.porthole.example", { limit: 120_000 });
});

scenario("an API group that is dead is named, and hides nothing else", async (scene) => {
    const page = await scene.open(await scene.proxy(), "pods");
    await untilLive(page);
    const state = await untilPage(page, ({ unavailable }) => unavailable.length > 0, "a group is called unavailable");
    assert.deepEqual(state.unavailable, ["metrics.k8s.io"]);
    const printed = await scene.cluster.tryKubectl("api-resources", "--verbs=list", "-o", "name");
    const missing = printed.stdout.split("\n").filter((name) => name && !state.nav.includes(name));
    assert.deepEqual(missing, [], "every resource that kubectl finds is in the navigation");
});
