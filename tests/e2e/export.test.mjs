// What is taken along: the rows that match or are selected, as CSV, JSON, YAML and names, in files and in the clipboard.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { scenario } from "./support/scenario.mjs";
import { temporaryFolder } from "./support/settings.mjs";
import { row, untilLive } from "./support/table.mjs";
import { until } from "./support/wait.mjs";

async function exported(page, title) {
    const file = page.waitForEvent("download");
    await page.keyboard.press("x");
    await page.locator("dialog input").fill(title);
    await page.keyboard.press("Enter");
    const download = await file;
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

const plain = ({ metadata: { managedFields, ...metadata }, ...rest }) => ({ ...rest, metadata });

scenario("what matches is written as CSV, JSON, YAML and names, and equals what kubectl says", async (scene) => {
    const page = await scene.open(await scene.proxy(), "configmaps?filter=-l%20%21nothing%20%21ns%3Akube&sort=Name");
    await untilLive(page);
    const { items } = await scene.cluster.json("get", "configmaps", "-A");
    const expected = items.filter(({ metadata }) => !metadata.namespace.includes("kube") && !metadata.namespace.startsWith("kube"));
    const keys = expected.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort();

    const names = await exported(page, "Names, as a file");
    assert.equal(names.name, "configmaps.txt");
    assert.deepEqual(names.text.trimEnd().split("\n").sort(), keys);

    const csv = await exported(page, "CSV of the columns, as a file");
    assert.equal(csv.name, "configmaps.csv");
    const [heading, ...lines] = csv.text.trimEnd().split("\r\n");
    assert.equal(heading, "Name,Namespace,Data,Age");
    assert.deepEqual(lines.map((line) => line.split(",")).map(([name, namespace]) => `${namespace}/${name}`).sort(), keys);

    const json = await exported(page, "JSON of the objects, as a file");
    const list = JSON.parse(json.text);
    assert.equal(list.kind, "List");
    const byKey = (objects) => new Map(objects.map((object) => [`${object.metadata.namespace}/${object.metadata.name}`, plain(object)]));
    assert.deepEqual(Object.fromEntries(byKey(list.items)), Object.fromEntries(byKey(expected)));

    const yaml = await exported(page, "YAML of the objects, as a file");
    assert.equal(yaml.name, "configmaps.yaml");
    // kubectl reads it, and finds nothing to change.
    const file = join(temporaryFolder("export"), "list.yaml");
    writeFileSync(file, yaml.text);
    const documents = await scene.cluster.kubectl("create", "--dry-run=client", "--validate=false", "-o", "json", "-f", file);
    const read = JSON.parse(`[${documents.trim().replaceAll(/^}\n\{$/gm, "},{")}]`);
    assert.deepEqual(Object.fromEntries(byKey(read)), Object.fromEntries(byKey(expected)));
});

scenario("what is selected is taken alone, and one object is no list", async (scene) => {
    const context = await scene.context({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await scene.open(await scene.proxy(), "pods?namespace=shop&sort=Name", { context });
    await untilLive(page);
    await page.keyboard.press("j");
    await page.keyboard.press(" ");
    const name = await page.locator(".tr.picked").getAttribute("data-name");
    const { text } = await exported(page, "JSON of the objects, as a file");
    const object = JSON.parse(text);
    assert.deepEqual([object.kind, object.metadata.name], ["Pod", name]);
    assert.equal(object.metadata.managedFields, undefined);
    await page.keyboard.press("x");
    await page.locator("dialog input").fill("Copy the names");
    await page.keyboard.press("Enter");
    await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === `shop/${name}\n`, "the name is in the clipboard");
    await row(page, name).dblclick();
    await page.locator("dialog input").fill("status");
    await page.keyboard.press("Enter");
    const status = await page.locator(`.tr.picked .st`).textContent();
    await until(async () => (await page.evaluate(() => navigator.clipboard.readText())).length > 0, "a cell is in the clipboard");
    assert.ok(status.length > 0);
});
