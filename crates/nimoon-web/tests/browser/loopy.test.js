// The view Loopy values: expressions, graphs and comparisons.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { chrome, open, seriousFaults, serve, server, startForAll } from "./program.js";

startForAll();

const address = (g, options = {}) => `${server.address}/#/loopy?${new URLSearchParams({ g, ...options })}`;
const TIS = "tis{tisn{|tis}|}";
const TISN = "tisn{|tis{tisn|}}";

async function settled(page) {
  await page.locator("#loopy-g").waitFor();
  await page.waitForFunction(() => !document.querySelector("#view.waiting") && document.querySelector(".loopy-facts")?.textContent.length);
}

async function show(page, g, options) {
  await page.goto("about:blank");
  await page.goto(address(g, options));
  await settled(page);
}

/** Returns the facts that the page shows about a game. */
async function facts(page) {
  const of = async (name) => (await page.locator(`.loopy-facts ${name}`).textContent()).trim();
  return { value: await of(".loopy-value code"), left: await of(".left-first"), right: await of(".right-first"), onside: await of(".onside"), offside: await of(".offside"), stopper: await of(".stopper") };
}

/** Returns the numbers of vertices, Left edges and Right edges in the picture. */
async function counted(page) {
  return page.evaluate(() => ["partizan-vertex", "partizan.left", "partizan.right"].map((name) => document.querySelectorAll(`.loopy-picture .${name}`).length));
}

test("known games have the correct sides, outcomes and graphs", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  const known = [
    // expression, value, Left starts, Right starts, onside, offside, stopper, vertices and edges of the first picture
    ["on + off", "dud", /draw/, /draw/, "on", "off", /^no/, [1, 1, 1]],
    ["over", "over", /Left wins/, /Left wins/, "over", "over", /^yes/, [2, 1, 1]],
    ["under", "under", /Right wins/, /Right wins/, "under", "under", /^yes/, [2, 1, 1]],
    ["upon", "upon", /Left wins/, /Left wins/, "upon", "upon", /^yes/, [3, 2, 2]],
    ["on", "on", /Left wins/, /Left wins/, "on", "on", /^yes/, [1, 1, 0]],
    [TIS, "1 & 0", /draw/, /Left wins/, "1", "0", /^no/, [2, 1, 1]],
    [TISN, "0 & -1", /Right wins/, /draw/, "0", "-1", /^no/, [2, 1, 1]],
    ["a{1||a|0}", "2 & +-1", /Left wins/, /draw/, "2", "+-1", /^no/, [4, 3, 2]],
    ["*", "*", /Left wins/, /Right wins/, "*", "*", /^yes/, [2, 1, 1]],
    ["1 - 1", "0", /Right wins/, /Left wins/, "0", "0", /^yes/, [1, 0, 0]],
  ];
  for (const [text, value, left, right, onside, offside, stopper, sizes] of known) {
    await show(page, text);
    const shown = await facts(page);
    assert.deepEqual([shown.value, shown.onside, shown.offside], [value, onside, offside], text);
    assert.match(shown.left, left, text);
    assert.match(shown.right, right, text);
    assert.match(shown.stopper, stopper, text);
    assert.deepEqual(await counted(page), sizes, text);
    assert.equal(await page.locator(".loopy-picture .partizan-vertex.is-start").count(), 1, text);
  }
  await show(page, TIS);
  assert.match(await page.locator(".loopy-value").textContent(), /also called tis/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the comparison of two games shows who survives in their difference", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  const orders = [
    ["over", "0", ">", [/Left wins.*so ≥/, /Left wins.*so not ≤/]],
    ["upon", "over", "<", [/Right wins.*so not ≥/, /so ≤/]],
    ["over", "1/1024", "<", [/so not ≥/, /so ≤/]],
    ["on + off", "dud", "=", null],
    ["over + over", "over", "=", [/so ≥/, /so ≤/]],
    ["*", "0", "∥", [/Right wins.*so not ≥/, /Left wins.*so not ≤/]],
    [TIS, "1 & 0", "=", null],
    [TIS, TISN, ">", null],
  ];
  for (const [g, h, sign, why] of orders) {
    await show(page, g, { h });
    await page.locator(".comparison").waitFor();
    assert.equal((await page.locator(".relation strong").textContent()).trim(), sign, `${g} ? ${h}`);
    const reasons = await page.locator(".difference dd").allTextContents();
    // Stoppers have one difference with three rows. Other games have one for the onsides and one for the offsides.
    assert.equal(reasons.length, why ? 3 : 6, `${g} ? ${h}`);
    if (why) why.forEach((pattern, i) => assert.match(reasons[i + 1], pattern, `${g} ? ${h}`));
    // The reasons agree with the order.
    const answer = await (await fetch(`${server.address}/api/compare`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ a: g, b: h }) })).json();
    const expected = why ? [["ge_plus", "le_plus"]] : [["ge_plus", "le_plus"], ["ge_minus", "le_minus"]];
    expected.forEach(([ge, le], i) => {
      assert.equal(/so ≥/.test(reasons[3 * i + 1]), answer[ge], `${g} ≥ ${h}`);
      assert.equal(/so ≤/.test(reasons[3 * i + 2]), answer[le], `${g} ≤ ${h}`);
    });
  }
  await show(page, "on", { h: "off" });
  assert.match(await page.locator(".comparison .sum").textContent(), /^dud/);
  await page.getByRole("button", { name: "Show the sum" }).click();
  await page.waitForFunction(() => document.querySelector(".loopy-value code")?.textContent === "dud");
  assert.equal(await page.locator("#loopy-g").inputValue(), "(on) + (off)");
  assert.deepEqual(faults, []);
  await context.close();
});

test("vertices show their values and options, and the user can choose the graph", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await show(page, "upon");
  await page.locator('.partizan-vertex[data-name="a"]').hover();
  assert.match(await page.locator(".loopy-readout").textContent(), /a = upon \(start\).*Left’s options: a itself\. Right’s options: b = \*\./);
  assert.equal(await page.locator(".partizan.is-lit").count(), 2);
  await page.getByText("The graph as a table").click();
  assert.equal(await page.locator("details tbody tr").count(), 3);
  await show(page, "a{1||a|0}");
  assert.equal(await page.locator(".loopy-picture .partizan-vertex").count(), 4);
  await page.getByRole("button", { name: "onside", exact: true }).click();
  assert.deepEqual(await counted(page), [3, 2, 0]);
  assert.match(page.url(), /graph=onside/);
  await page.reload();
  await settled(page);
  assert.deepEqual(await counted(page), [3, 2, 0]);
  // A long path shows only its size.
  await show(page, "1000");
  assert.match(await page.locator(".loopy-stage").textContent(), /1001 vertices, 1000 Left edges, 0 Right edges/);
  assert.equal(await page.locator(".loopy-picture").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("clicks choose a named game, an example and a unicycle", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/loopy`);
  await settled(page);
  assert.equal((await facts(page)).value, "upon");
  await page.getByRole("button", { name: /^under:/ }).click();
  await page.waitForFunction(() => document.querySelector(".loopy-value code")?.textContent === "under");
  await page.getByRole("button", { name: "on + off is dud" }).click();
  await page.waitForFunction(() => document.querySelector(".relation strong")?.textContent.trim() === "=");
  for (const [pattern, vertices] of [["LLRR", 6], ["LLRLRR", 8], ["LLLRLRRRLR", 12]]) {
    await page.getByRole("button", { name: pattern, exact: true }).click();
    await page.waitForFunction((vertices) => document.querySelectorAll(".partizan-vertex").length === vertices, vertices);
    assert.match((await facts(page)).stopper, /^yes/);
    // The canonical form has the vertices of the cycle and those of the exits.
    const [drawn, left, right] = await counted(page);
    assert.ok(left >= pattern.length && right >= pattern.length && drawn === vertices, pattern);
  }
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll(".partizan-vertex").length === 8);
  assert.deepEqual(faults, []);
  await context.close();
});

test("an error is marked at its place in the text", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await show(page, "{0|b}");
  assert.equal(await page.locator("#loopy-g-error mark").textContent(), "b");
  assert.match(await page.locator("#loopy-g-error").textContent(), /column 4/);
  assert.equal(await page.locator("#loopy-g").getAttribute("aria-invalid"), "true");
  await page.getByRole("button", { name: "Go there" }).click();
  assert.deepEqual(await page.evaluate(() => [document.activeElement.id, document.activeElement.selectionStart, document.activeElement.selectionEnd]), ["loopy-g", 3, 4]);
  await page.keyboard.type("1");
  await page.waitForFunction(() => document.querySelector(".loopy-value code")?.textContent === "1/2");
  assert.equal(await page.locator("#loopy-g").getAttribute("aria-invalid"), null);
  await page.locator("#loopy-h").fill("{1|");
  await page.locator("#loopy-h-error mark").waitFor();
  assert.equal((await facts(page)).value, "1/2");
  assert.deepEqual(faults, []);
  await context.close();
});

test("the keyboard alone can use the view", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/loopy`);
  await settled(page);
  await page.locator("#loopy-g").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("over");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".loopy-value code")?.textContent === "over");
  // Continue to the first vertex of the picture.
  for (let i = 0; i < 60 && !(await page.evaluate(() => document.activeElement.classList.contains("partizan-vertex"))); i += 1) await page.keyboard.press("Tab");
  assert.match(await page.locator(".loopy-readout").textContent(), /a = over/);
  await page.keyboard.press("Enter");
  assert.match(await page.locator("#status").textContent(), /Vertex a, the start, equal to over\. Left's options: b = 0\. Right's options: a itself\./);
  await page.keyboard.press("Tab");
  assert.match(await page.locator(".loopy-readout").textContent(), /b = 0/);
  assert.deepEqual(faults, []);
  await context.close();
});

async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test("an exported graph can be read again", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await show(page, TIS);
  const json = JSON.parse((await saved(page, "Graph (JSON)")).bytes);
  assert.deepEqual([json.nodes.length, json.left.length, json.right.length], [2, 1, 1]);
  await page.locator("#loopy-g").fill(JSON.stringify(json));
  await page.waitForFunction(() => !document.querySelector("#view.waiting") && document.querySelector("#loopy-g").value.startsWith("{\"") && document.querySelector(".loopy-value code")?.textContent === "1 & 0");
  const svg = await saved(page, "SVG");
  assert.match(String(svg.bytes), /^<svg[\s\S]*1 &amp; 0[\s\S]*<\/svg>$/);
  assert.ok(!/class=/.test(String(svg.bytes)));
  const png = await saved(page, "PNG");
  assert.deepEqual([...png.bytes.subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(""), "PNG");
  assert.match(String((await saved(page, "DOT")).bytes), /^digraph/);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds no serious fault in ${colorScheme} colours`, async () => {
    for (const viewport of [{ width: 1200, height: 1000 }, { width: 390, height: 844 }]) {
      const { page, context, faults } = await open(chrome, server.address, { colorScheme, viewport });
      for (const [g, h] of [["upon", "over"], ["a{1||a|0}", TIS], ["{0|b}", ""]]) {
        await show(page, g, { h });
        await page.getByText("The graph as a table").click();
        assert.deepEqual(await seriousFaults(page), [], g);
      }
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${viewport.width} wide`);
      assert.deepEqual(faults, []);
      await context.close();
    }
  });
}

test("the page denies a canonical form only if both sides prove that there is none", async () => {
  const { page, context } = await open(chrome, server.address);
  const canonical = () => page.locator(".loopy-facts .canonical").textContent();
  await show(page, "upon + over");
  assert.match(await canonical(), /^\d+ vertices$/);
  await show(page, "2 & 1");
  assert.equal(await canonical(), "none: the game does not equal a stopper");
  // Bach's Carousel: the program finds no sides, without reaching a limit.
  const carousel = await readFile(new URL("../../../../examples/carousel.json", import.meta.url), "utf8");
  await show(page, JSON.stringify(JSON.parse(carousel)));
  assert.equal(await canonical(), "not found");
  await context.close();
  const small = await serve("--budget", "20");
  const hurried = await open(chrome, small.address);
  await hurried.page.goto(`${small.address}/#/loopy?${new URLSearchParams({ g: "upon + over" })}`);
  await settled(hurried.page);
  assert.equal(await hurried.page.locator(".loopy-facts .canonical").textContent(), "not found within the limit");
  await hurried.context.close();
  assert.equal(await small.stop(), 0);
});
