// The page as a whole: accessibility, themes, navigation, first paint.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chrome, game, open, seriousFaults, server, startForAll } from "./program.js";

startForAll();

const PLAY = "top-entails:4 + nimstring:1x2 + lights:2b1s1b + nim:3 + kayles:4";
const GRAPHS = "green-lime:0-1g,1-2l,1-3l + green-lime:lg";

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds no serious fault in ${colorScheme} colours`, async () => {
    const { page, context, faults } = await open(chrome, server.address, { colorScheme });
    const views = [
      ["home", server.address],
      ["a lesson", `${server.address}/#/learn?step=3`],
      ["the puzzle", `${server.address}/#/puzzle`],
      ["the guide", `${server.address}/#/play`],
      ["boards", game(server.address, PLAY)],
      ["values", game(server.address, GRAPHS, { values: "1" })],
      ["a forced answer", game(server.address, "top-entails:4 + nim:2", { values: "1", with: "person", m: "0" })],
      ["the end", game(server.address, "nim:1", { m: "0" })],
      ["Left and Right", game(server.address, "backsliding:tt..f + fox-geese:4/geese=3.1,3.3/fox=2.2", { values: "1" })],
      ["calculate", `${server.address}/#/calculate`],
      ["about", `${server.address}/#/about`],
    ];
    for (const [name, address] of views) {
      await page.goto("about:blank");
      await page.goto(address);
      await page.locator("#view section").first().waitFor();
      await page.waitForFunction(() => !document.querySelector("#view.waiting"));
      if (name === "values") {
        await page.getByText("Explain this position").click();
        await page.locator(".explanation h3").first().waitFor();
        await page.evaluate(() => document.querySelectorAll(".explanation details").forEach((details) => { details.open = true; }));
      }
      if (name === "about") {
        await page.locator("#view details").first().waitFor();
        await page.evaluate(() => document.querySelectorAll("#view details").forEach((details) => { details.open = true; }));
      }
      assert.deepEqual(await seriousFaults(page), [], name);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("the chosen theme survives a reload", async () => {
  const { page, context } = await open(chrome, server.address, { colorScheme: "light" });
  await page.goto(`${server.address}/#/play`);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  const dark = await background();
  assert.notEqual(light, dark);
  await page.reload();
  assert.equal(await background(), dark);
  await context.close();
});

test("the page describes every path of the API, and the examples work", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/about`);
  await page.locator("#view details").first().waitFor();
  const document = await (await fetch(`${server.address}/api/openapi.json`)).json();
  assert.equal(await page.locator("#view details:not(.rulesets details)").count(), Object.keys(document.paths).length);
  for (const [path, methods] of Object.entries(document.paths)) {
    const [method, operation] = Object.entries(methods)[0];
    const example = operation.requestBody?.content["application/json"].example;
    const response = await fetch(`${server.address}${path}`, method === "get" ? {} : { method, headers: { "content-type": "application/json" }, body: JSON.stringify(example) });
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get("nimoon-budget"), null, path);
  }
  await context.close();
});

test("the first view loads less than 300 kB", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/play`);
  await page.locator(".boards .target").first().waitFor();
  const bytes = await page.evaluate(() => performance.getEntriesByType("resource").reduce((sum, entry) => sum + entry.decodedBodySize, 0));
  assert.ok(bytes < 300_000, `${bytes} bytes`);
  await context.close();
});

test("each tab of the view Calculate answers all of its examples, and marks an error", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/calculate`);
  const ready = () => page.waitForFunction(() => document.querySelector("[aria-label='The answer'] :is(dl, table, .muted)") && !document.querySelector("#view.waiting"));
  await ready();
  const tabs = await page.locator("[aria-label='What to calculate'] button").allTextContents();
  assert.deepEqual(tabs, ["Remoteness", "Compounds", "Affine forms", "Ordinals", "Unicycles", "Representatives", "Certificates"]);
  for (const tab of tabs) {
    await page.getByRole("button", { name: tab, exact: true }).click();
    await ready();
    const examples = await page.locator("#view p.row button").allTextContents();
    for (const example of examples) {
      await page.locator("#view p.row button").filter({ hasText: RegExp(`^${example}$`) }).click();
      await ready();
      assert.equal(await page.getByRole("alert").count(), 0, `${tab}, ${example}: ${await page.locator("#view").textContent()}`);
      assert.ok(await page.locator("[aria-label='The answer'] :is(dd, td)").count() > 0, `${tab}, ${example}`);
    }
  }
  await page.getByRole("button", { name: "Ordinals" }).click();
  await page.getByLabel("Expression").fill("w +");
  await page.getByRole("button", { name: "Calculate", exact: true }).click();
  await page.getByRole("alert").waitFor();
  assert.match(page.url(), /what=ordinal&expression=w/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the page describes every ruleset and links to those that it can play", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3"));
  await page.getByRole("link", { name: "all rulesets and their notation" }).click();
  await page.locator(".rulesets details").first().waitFor();
  const all = await (await fetch(`${server.address}/api/rulesets`)).json();
  assert.deepEqual(await page.locator(".rulesets summary").allTextContents(), all.map(({ name }) => name));
  const offered = await page.locator(".rulesets a").evaluateAll((links) => links.map((link) => new URLSearchParams(link.getAttribute("href").split("?")[1]).get("p")));
  for (const { name, example } of all) {
    const body = JSON.stringify({ position: example, moves: [], players: ["person", "engine"] });
    const { status } = await fetch(`${server.address}/api/moves`, { method: "POST", headers: { "content-type": "application/json" }, body });
    assert.equal(offered.includes(example), status === 200, name);
  }
  await page.locator(".rulesets summary").filter({ hasText: /^top-entails$/ }).click();
  await page.getByRole("link", { name: /^Play top-entails/ }).click();
  await page.locator(".boards .target").first().waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});
