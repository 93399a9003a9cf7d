// What is found and in which order, against a plain program on what `kubectl get -o json` says: every kind of order and every
// kind of filter, over all pods, nodes and volumes of the demo load.

import assert from "node:assert/strict";

import { scenario } from "./support/scenario.mjs";
import { byValue, cell, look, readTable, row, untilLive, untilPage } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

const restarts = (pod) =>
    [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? []).filter(({ name }) => isSidecar(pod, name))]
        .reduce((sum, { restartCount }) => sum + restartCount, 0);
const isSidecar = (pod, name) => pod.spec.initContainers?.some((container) => container.name === name && container.restartPolicy === "Always");
const made = ({ metadata }) => Date.parse(metadata.creationTimestamp);
const age = (object) => (Date.now() - made(object)) / 1000;
const octets = (address) => address?.split(".").map((octet) => octet.padStart(3, "0")).join(".");
const quantity = (text) => {
    const [, number, unit] = /^([\d.]+)(.*)$/.exec(text);
    const factor = { "": 1, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 }[unit];
    return Number(number) * factor;
};
const text = ({ metadata, spec, status }) => `${metadata.name} ${metadata.namespace} ${status?.podIP ?? ""} ${spec?.nodeName ?? ""}`;

/** Orders: the column, what a plain program orders by, and for which resource. */
const ORDERS = [
    ["pods", "Name", ({ metadata }) => metadata.name],
    ["pods", "Namespace", ({ metadata }) => metadata.namespace],
    ["pods", "Restarts", restarts, { moves: true }],
    ["pods", "Age", (pod) => -made(pod)],
    ["pods", "IP", ({ status }) => octets(status.podIP)],
    ["pods", "Node", ({ spec }) => spec.nodeName],
    ["pods", "Image", ({ spec }) => spec.containers.map(({ image }) => image).join(","), { columns: "Name,Image=.spec.containers%5B%2A%5D.image" }],
    ["pods", "priority", ({ spec }) => spec.priority, { columns: "Name,priority=.spec.priority" }],
    ["pods", "app", ({ metadata }) => metadata.labels?.app, { columns: "Name,app=.metadata.labels%5B%27app%27%5D" }],
    ["persistentvolumes", "Capacity", ({ spec }) => quantity(spec.capacity.storage)],
    ["persistentvolumeclaims", "Capacity", ({ status }) => status.capacity && quantity(status.capacity.storage)],
    ["nodes", "Version", ({ status }) => status.nodeInfo.kubeletVersion],
    ["configmaps", "Data", ({ data, binaryData }) => Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length],
    ["deployments.apps", "Up-to-date", ({ status }) => status.updatedReplicas ?? 0],
];

/** Filters of pods: what is written, and which pods a plain program keeps. */
const FILTERS = [
    ["checkout", (pod) => /checkout/i.test(text(pod))],
    ["SHOP", (pod) => /shop/i.test(text(pod))],
    ["!shop", (pod) => !/shop/i.test(text(pod))],
    ["store -0", (pod) => /store/.test(text(pod)) && /-0/.test(text(pod))],
    ["/^[a-c].*-\\d$/", ({ metadata }) => /^[a-c].*-\d$/.test(metadata.name)],
    ["name:/^[a-c]/", ({ metadata }) => /^[a-c]/.test(metadata.name)],
    ["!name:/o/", ({ metadata }) => !/o/.test(metadata.name)],
    ["name:~ckt", ({ metadata }) => /c.*k.*t/.test(metadata.name)],
    ["ns:pay", ({ metadata }) => /pay/.test(metadata.namespace)],
    ["namespace=shop", ({ metadata }) => metadata.namespace === "shop"],
    ["namespace!=shop", ({ metadata }) => metadata.namespace !== "shop"],
    ["node:-1", ({ spec }) => /-1/.test(spec.nodeName ?? "")],
    ["restarts>=4 restarts<100", (pod) => restarts(pod) >= 4 && restarts(pod) < 100],
    ["restarts=0", (pod) => restarts(pod) === 0],
    ["age>1s !age>900d", (pod) => age(pod) > 1 && age(pod) < 900 * 86_400],
    ["age>900d", (pod) => age(pod) > 900 * 86_400],
    ["ip>=10.0.0.0", ({ status }) => status.podIP && octets(status.podIP) >= octets("10.0.0.0")],
    ["ip<10.1.0.0 ns:shop", ({ status, metadata }) => status.podIP && octets(status.podIP) < octets("10.1.0.0") && /shop/.test(metadata.namespace)],
    ["-l app", ({ metadata }) => metadata.labels?.app !== undefined],
    ["-l app in (checkout, cart)", ({ metadata }) => ["checkout", "cart"].includes(metadata.labels?.app)],
    ["-l 'app notin (checkout, cart),app'", ({ metadata }) => metadata.labels?.app !== undefined && !["checkout", "cart"].includes(metadata.labels.app)],
    ["-l !app", ({ metadata }) => metadata.labels?.app === undefined],
    ["-f status.phase=Running", ({ status }) => status.phase === "Running"],
    ["-f status.phase!=Running -l app !ns:shop", ({ status, metadata }) => status.phase !== "Running" && metadata.labels?.app !== undefined && !/shop/.test(metadata.namespace)],
];

const hash = (route) => page => page.evaluate((route) => (location.hash = `#/${route}`), route);

scenario("every kind of column is ordered as a plain program orders it, both ways", async (scene) => {
    const page = await scene.open(await scene.proxy(), "pods");
    await untilLive(page);
    for (const [resource, column, value, { columns = "", moves } = {}] of ORDERS) {
        for (const sign of ["", "-"]) {
            await hash(`${resource}?sort=${sign}${encodeURIComponent(column)}${columns ? `&columns=${columns}` : "&wide"}`)(page);
            await untilPage(page, ({ hash, health }) => hash.includes(resource) && health === "live", "the table is live");
            await until(async () => {
                const [{ items }, table] = await Promise.all([scene.cluster.json("get", resource, "-A"), readTable(page)]);
                const values = new Map(items.map((item) => [`${item.metadata.namespace ?? ""}/${item.metadata.name}`, value(item)]));
                const shown = table.rows.map(({ namespace, name }) => values.get(`${namespace}/${name}`));
                // What has no value stands last, whichever way.
                const there = shown.filter((value) => value !== undefined && value !== "");
                const expected = there.toSorted(byValue);
                if (sign) expected.reverse();
                assert.deepEqual(shown.slice(0, there.length), expected, `${resource} by ${sign}${column}`);
                assert.equal(table.rows.length, items.length);
                return true;
            }, `${resource} are ordered by ${sign}${column}`, moves ? 60_000 : 20_000);
        }
    }
});

scenario("several columns order together, each in its own way", async (scene) => {
    const page = await scene.open(await scene.proxy(), "pods?sort=-Namespace&sort=Name");
    await untilLive(page);
    await until(async () => {
        const { items } = await scene.cluster.json("get", "pods", "-A");
        const expected = items
            .map(({ metadata }) => [metadata.namespace, metadata.name])
            .sort((a, b) => byValue(b[0], a[0]) || byValue(a[1], b[1]));
        const table = await readTable(page);
        assert.deepEqual(table.rows.map(({ namespace, name }) => [namespace, name]), expected);
        return true;
    }, "the pods are ordered by both");
    const marks = await page.locator(".th .dir").allTextContents();
    assert.deepEqual(marks.filter(Boolean).map((mark) => mark.trim()), ["↑2", "↓1"]);
});

scenario("every kind of filter keeps what a plain program keeps", async (scene) => {
    const page = await scene.open(await scene.proxy(), "pods?wide");
    await untilLive(page);
    for (const [filter, keeps] of FILTERS) {
        await page.locator("#filter").fill(filter);
        await page.keyboard.press("Enter");
        await until(async () => {
            const [{ items }, table] = await Promise.all([scene.cluster.json("get", "pods", "-A"), readTable(page)]);
            const expected = items.filter(keeps).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
            assert.deepEqual(table.rows.map(({ namespace, name }) => `${namespace}/${name}`).sort(), expected.sort());
            return true;
        }, `the filter ${filter} keeps what it is to keep`, 30_000);
    }
    assert.equal((await look(page)).nothing, undefined);
});

scenario("what is understood of a filter is marked letter for letter, and what is not is said", async (scene) => {
    const page = await scene.open(await scene.proxy(), "pods");
    await untilLive(page);
    const marks = () => page.evaluate(() => ({
        text: document.querySelector(".q .marks").textContent,
        parts: [...document.querySelectorAll(".q .marks b")].map((mark) => [mark.className, mark.textContent]),
    }));
    await page.locator("#filter").fill("web  status:run !x -l a=b");
    await until(async () => (await marks()).parts.length === 3, "three terms are marked");
    assert.deepEqual(await marks(), { text: "web  status:run !x -l a=b", parts: [["", "status:run"], ["not", "!x"], ["server", "-l a=b"]] });
    for (const [filter, words] of [["\"open", /no end/], ["nonsense>5", /no column is called nonsense: there are Name/], ["/(/", /regular expression/], ["-l", /add a selector/]]) {
        await page.locator("#filter").fill("");
        await page.locator("#filter").fill(filter);
        await until(async () => words.test(await page.locator("#filter-fault").textContent({ timeout: 500 })), `the page says what is wrong with ${filter}`);
        assert.equal(await page.locator("#filter").getAttribute("aria-invalid"), "true");
    }
    await page.locator("#filter").fill("ok");
    await page.locator("#filter-fault").waitFor({ state: "detached" });
});

scenario("the server says what is wrong with a selector, and typing on mends it", async (scene) => {
    const page = await scene.open(await scene.proxy(), "pods");
    scene.expectOutage();
    await untilLive(page);
    await page.locator("#filter").fill("-l app in checkout");
    await page.keyboard.press("Enter");
    const { trouble } = await untilPage(page, ({ trouble }) => trouble, "the page says what is wrong");
    assert.match(trouble.text, /unable to parse requirement/);
    await page.locator("#filter").fill("-l app in (checkout)");
    await page.keyboard.press("Enter");
    const { names } = await untilPage(page, ({ health, names }) => health === "live" && names.length > 0, "the table is live again");
    assert.ok(names.every((name) => name.startsWith("checkout")), names.join());
});

scenario("a filter by age lets rows come and go as time passes", async (scene) => {
    const page = await scene.open(await scene.proxy(), "configmaps?namespace=shop&filter=age%3C8s");
    await untilLive(page);
    await untilPage(page, ({ names }) => names.length === 0, "nothing is that young");
    const name = `young-${Date.now()}`;
    await scene.cluster.kubectl("create", "configmap", name, "-n", "shop");
    scene.atEnd(() => scene.cluster.remove("configmap", name, "-n", "shop"));
    await row(page, name).waitFor();
    await row(page, name).waitFor({ state: "detached" });
    await untilPage(page, ({ count }) => count?.startsWith("0 of "), "it is too old now");
});

scenario("several namespaces are shown at once, without a request for all of them", async (scene) => {
    const meddler = await scene.meddler();
    const page = await scene.open(meddler, "pods?namespace=shop&namespace=payments");
    await untilLive(page);
    const expected = [];
    for (const namespace of ["shop", "payments"]) {
        const { items } = await scene.cluster.json("get", "pods", "-n", namespace);
        expected.push(...items.map(({ metadata }) => `${namespace}/${metadata.name}`));
    }
    const table = await readTable(page);
    assert.deepEqual(table.rows.map(({ namespace, name }) => `${namespace}/${name}`).sort(), expected.sort());
    assert.ok(!meddler.exchanges.some(({ path }) => path === "/api/v1/pods"), "all namespaces were asked for");
    await page.locator(".ns .chip .off").first().click();
    await untilPage(page, ({ hash }) => hash === "#/pods?namespace=payments", "one is taken off");
    const name = `several-${Date.now()}`;
    await scene.cluster.kubectl("run", name, "-n", "payments", "--image=web:1");
    scene.atEnd(() => scene.cluster.remove("pod", name, "-n", "payments", "--force"));
    await row(page, name, "payments").waitFor();
});

scenario("more namespaces than there are connections are all shown, those without one from lists", async (scene) => {
    const meddler = await scene.meddler();
    const namespaces = ["shop", "payments", "platform", "batch", "kube-system", "default"];
    const page = await scene.open(meddler, `configmaps?${namespaces.map((name) => `namespace=${name}`).join("&")}`);
    await untilPage(page, ({ health }) => health === "listed", "some of it is listed only");
    const { items } = await scene.cluster.json("get", "configmaps", "-A");
    const expected = items.filter(({ metadata }) => namespaces.includes(metadata.namespace)).length;
    await until(async () => (await readTable(page)).rows.length === expected, "all rows are there");
    const name = `listed-${Date.now()}`;
    await scene.cluster.kubectl("create", "configmap", name, "-n", "default");
    scene.atEnd(() => scene.cluster.remove("configmap", name, "-n", "default"));
    await page.keyboard.press("r");
    await row(page, name, "default").waitFor();
    assert.equal(await cell(page, name, "Data"), "0");
});
