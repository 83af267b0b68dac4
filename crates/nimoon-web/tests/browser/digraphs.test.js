// The view Digraphs: drawing by mouse, touch and keys, reading files, labels, explanations and exports.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { EXAMPLES } from "../../assets/digraphs/examples.js";
import { chrome, open, seriousFaults, server, startForAll } from "./program.js";
import { drawn, examples, labels, request, settled, shown } from "./sheet.js";

startForAll();

const tool = (page, name) => page.locator(".dg-tool", { hasText: name }).click();

/** Scrolls the drawing into the window, where the mouse can reach it. */
const inView = (page) => page.locator(".dg-stage").evaluate((stage) => stage.scrollIntoView({ block: "center" }));

/** Converts a point of the sheet, with coordinates from 0 to 1, to a point of the screen. */
async function place(page, x, y) {
  await inView(page);
  const box = await page.locator(".dg-stage").boundingBox();
  return [box.x + x * box.width, box.y + y * box.height];
}

/** Returns the middle of a node on the screen, in a single step because an answer may redraw the nodes at any time. */
async function middle(page, name) {
  await inView(page);
  return page.evaluate((name) => {
    const node = [...document.querySelectorAll(".dg-node")].find((node) => node.querySelector(".dg-name").textContent === name);
    const box = node.querySelector(".dg-body").getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }, name);
}

async function click(page, x, y) {
  await page.mouse.click(...(await place(page, x, y)));
}

/** Draws an arc by mouse. For a loop, the mouse leaves the node and comes back. */
async function drag(page, from, to) {
  const start = await middle(page, from);
  const end = await middle(page, to);
  await page.mouse.move(...start);
  await page.mouse.down();
  if (from === to) await page.mouse.move(start[0], start[1] - 70, { steps: 4 });
  await page.mouse.move(...end, { steps: 4 });
  await page.mouse.up();
}

const chooseNode = async (page, name) => page.mouse.click(...(await middle(page, name)));

test("the examples equal the files of the folder", async () => {
  for (const { id, text, pieces } of EXAMPLES) {
    const file = await labels(readFileSync(`${examples}${id}.game`, "utf8"));
    assert.deepEqual(await labels(text), file, id);
    assert.ok(pieces.every((name) => name in file), id);
  }
});

test("a digraph drawn by mouse gets the correct values", async () => {
  const { page, context, faults } = await drawn("");
  await click(page, 0.2, 0.2);
  await click(page, 0.5, 0.2);
  await click(page, 0.2, 0.6);
  await click(page, 0.5, 0.6);
  for (const [from, to] of [["b", "a"], ["c", "a"], ["c", "b"], ["d", "d"], ["d", "c"]]) await drag(page, from, to);
  assert.deepEqual(await shown(page), { a: "0", b: "1", c: "2", d: "∞₂" });
  // A drag from a node to the background adds a node with an arc to it.
  const [x, y] = await place(page, 0.8, 0.4);
  await page.mouse.move(...(await middle(page, "b")));
  await page.mouse.down();
  await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.up();
  assert.deepEqual(await shown(page), { a: "0", b: "1", c: "2", d: "∞₂", e: "0" });
  assert.match(await page.locator(".dg-status").textContent(), /^short and cyclic theories: 5 nodes, 6 arcs, 1 cyclic zone/);
  assert.equal(await page.locator(".dg-arc.is-exit").count(), 1);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the mouse makes nodes gray, moves, renames and erases them, and undo and redo revert all of it", async () => {
  const { page, context, faults } = await drawn("z:\nc: c g\ng: z\n");
  assert.equal((await shown(page)).c, "∞₁");
  await tool(page, "Gray");
  await chooseNode(page, "g");
  assert.deepEqual(await shown(page), { z: "0", c: "∞*₀", g: "gray" });
  await tool(page, "Move");
  const before = await middle(page, "c");
  await page.mouse.move(...before);
  await page.mouse.down();
  await page.mouse.move(before[0] + 60, before[1] - 40, { steps: 5 });
  await page.mouse.up();
  const after = await middle(page, "c");
  assert.ok(Math.abs(after[0] - before[0] - 60) < 3 && Math.abs(after[1] - before[1] + 40) < 3);
  await chooseNode(page, "c");
  await page.getByLabel("Name").fill("g");
  await page.keyboard.press("Enter");
  assert.match(await page.locator(".dg-chosen [role=alert]").textContent(), /another node has the name `g`/);
  await page.getByLabel("Name").fill("carry on");
  await page.keyboard.press("Enter");
  assert.equal((await shown(page))["carry on"], "∞*₀");
  await tool(page, "Erase");
  await chooseNode(page, "g");
  assert.deepEqual(await shown(page), { z: "0", "carry on": "∞" });
  for (let i = 0; i < 4; i += 1) await page.getByRole("button", { name: "Undo" }).click();
  assert.deepEqual(await shown(page), { z: "0", c: "∞₁", g: "1" });
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("Control+y");
  assert.equal((await shown(page))["carry on"], "∞*₀");
  await page.keyboard.press("Control+z");
  assert.deepEqual(await shown(page), { z: "0", c: "∞*₀", g: "gray" });
  assert.deepEqual(faults, []);
  await context.close();
});

test("a click erases an arc", async () => {
  const { page, context } = await drawn("z:\na: z\nb: z a\n");
  await tool(page, "Erase");
  const at = await page.locator('[data-arc="2>1"] .dg-line').evaluate((line) => {
    const point = line.getPointAtLength(line.getTotalLength() / 2);
    const matrix = line.getScreenCTM();
    return [point.x * matrix.a + matrix.e, point.y * matrix.d + matrix.f];
  });
  await page.mouse.click(...at);
  assert.deepEqual(await shown(page), { z: "0", a: "1", b: "1" });
  await context.close();
});

test("pieces have a sum, an outcome and a winning turn in the drawing", async () => {
  const text = readFileSync(`${examples}zones.game`, "utf8");
  const { page, context, faults } = await drawn(text);
  await tool(page, "Piece");
  for (const name of ["x", "d", "b"]) await chooseNode(page, name);
  await page.locator(".dg-sum").waitFor();
  const sum = await request("sum", { digraph: { text }, nodes: ["x", "d", "b"] });
  assert.equal(sum.outcome, "N");
  assert.match(await page.locator(".dg-sum").textContent(), /∞₀.*N the next player wins/);
  const steps = await page.locator(".panel ol.steps li").allTextContents();
  assert.deepEqual(steps.map((step) => step.replace(/^the only answer: /, "")), sum.turn.plies.map((ply) => `piece ${ply.component + 1}: ${ply.from} → ${ply.to}`));
  assert.equal(await page.locator(".dg-arc.is-turn").count(), sum.turn.plies.length);
  await page.getByRole("button", { name: "Remove the piece from d" }).click();
  await page.getByText("the next player wins").waitFor();
  assert.equal(await page.locator(".dg-piece").count(), 2);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the user steps through the labelling round by round, with reasons", async () => {
  const text = readFileSync(`${examples}menagerie.game`, "utf8");
  const { nodes } = await request("label", { digraph: { text }, smallest: true, steps: true });
  const last = Math.max(...nodes.map((node) => node.round ?? -1));
  const { page, context, faults } = await drawn(text);
  await page.getByRole("button", { name: "First round" }).click();
  for (let step = 0; step <= last + 1; step += 1) {
    const isRest = step === last + 1;
    const fresh = nodes.filter((node) => (isRest ? node.round === null : node.round === step)).map((node) => node.node);
    const known = nodes.filter((node) => isRest || (node.round !== null && node.round <= step));
    assert.deepEqual((await page.locator(".is-fresh .dg-name").allTextContents()).sort(), [...fresh].sort(), `round ${step}`);
    const values = await shown(page);
    for (const node of nodes) {
      const expected = node.color === "gray" ? "gray" : known.includes(node) ? node.text : "";
      assert.equal(values[node.node], expected, `${node.node} in round ${step}`);
    }
    assert.equal(await page.locator(".dg-caption").count() > 0, isRest);
    await page.waitForFunction(() => [...document.querySelectorAll(".dg-assigned .muted")].every((reason) => reason.textContent !== "…"));
    const reasons = await page.locator(".dg-assigned").textContent();
    if (step === 0) assert.match(reasons, /No move wins or draws beside \*0, so the value is 0\./);
    if (isRest) assert.match(reasons, /so it has no nimber/);
    if (!isRest) await page.getByRole("button", { name: "Next round" }).click();
  }
  assert.equal(await page.getByRole("button", { name: "Next round" }).isDisabled(), true);
  await page.getByLabel("Round", { exact: true }).fill("1");
  assert.match(await page.locator(".dg-headline").textContent(), /^Round 1 of/);
  await page.getByRole("button", { name: "Play", exact: false }).filter({ hasText: "▶ Play" }).click();
  await page.locator(".dg-headline", { hasText: /^Round 2 of/ }).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  assert.deepEqual(faults, []);
  await context.close();
});

test("a click on a node shows its reasons in words and sets", async () => {
  const text = readFileSync(`${examples}zones.game`, "utf8");
  const { page, context } = await drawn(text);
  for (const name of ["x", "c", "d", "z", "g", "h"]) {
    await chooseNode(page, name);
    const why = await request("label", { digraph: { text }, smallest: true, explain: name });
    await page.waitForFunction((first) => document.querySelector(".dg-reasons p")?.textContent === first, why.text.split("\n")[0]);
    const reasons = await page.locator(".dg-reasons").textContent();
    for (const line of why.text.trim().split("\n").filter((line) => line !== "" && !line.startsWith("  ") && line !== "Options:")) assert.ok(reasons.includes(line), `${name}: ${line}`);
    assert.deepEqual(await page.locator(".dg-reasons tbody tr td:first-child button").allTextContents(), why.options.map((option) => option.option));
  }
  await chooseNode(page, "d");
  await page.locator(".dg-reasons .sets", { hasText: "exits{2}" }).waitFor();
  await context.close();
});

for (const name of ["trap.game", "trap.json", "trap.dot", "trap.edges", "trap.aut", "trap.pg", "tavern.game", "tavern.json", "tavern.dot", "tavern.edges"]) {
  test(`the format of ${name} is found from its contents and from its name`, async () => {
    const text = readFileSync(`${examples}formats/${name}`, "utf8");
    const format = { pg: "pgsolver" }[name.split(".")[1]] ?? name.split(".")[1];
    const expected = await labels(text, format);
    const { page, context, faults } = await drawn(text, { format: "" });
    assert.deepEqual(await shown(page), expected);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.locator("input[type=file]").setInputFiles(`${examples}formats/${name}`);
    await page.locator(".dg-node").first().waitFor();
    assert.deepEqual(await shown(page), expected);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("an error in a text is shown at its line and column", async () => {
  const { page, context } = await drawn("z:\na: z\n");
  const wrong = { game: "a: b\na: c\n", json: '{"nodes": ["a"],\n "arcs": [["a", "q"]]}', dot: "digraph {\n a -> ;\n}", edges: "a b\na b c\n", aut: "des (0, 1, 2)\n(0, x, 7)\n", pgsolver: "parity 1;\n0 0 0 5;\n" };
  for (const [format, text] of Object.entries(wrong)) {
    await page.getByLabel("read as").selectOption(format);
    await page.getByLabel("Or paste a digraph").fill(text);
    await page.getByRole("button", { name: "Draw this" }).click();
    const response = await fetch(`${server.address}/api/label`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ digraph: { text, format } }) });
    const { error } = await response.json();
    assert.equal(error.line, 2, `${format}: ${error.message}`);
    await page.getByText(`Line 2, column ${error.column}: `).waitFor();
    const selected = await page.getByLabel("Or paste a digraph").evaluate((area) => area.selectionStart);
    assert.equal(selected, text.indexOf("\n") + error.column, format);
  }
  // The previous drawing is still there.
  assert.deepEqual(await shown(page), { z: "0", a: "1" });
  await context.close();
});

/** Returns the contents of the file that a button downloads. */
async function exported(page, name) {
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name, exact: true }).click();
  const path = await (await waiting).path();
  return readFileSync(path);
}

test("exported files have the same values when read again", async () => {
  const text = readFileSync(`${examples}menagerie.game`, "utf8");
  const expected = await labels(text);
  const { page, context, faults } = await drawn(text);
  for (const [name, format] of [["DOT", "dot"], [".game", "game"], ["JSON", "json"]]) {
    assert.deepEqual(await labels(String(await exported(page, name)), format), expected, name);
  }
  const picture = String(await exported(page, "SVG"));
  const seen = await page.evaluate((picture) => {
    const document = new DOMParser().parseFromString(picture, "image/svg+xml");
    return { fault: document.querySelector("parsererror")?.textContent ?? null, root: document.documentElement.localName, classes: picture.includes("class="), texts: [...document.querySelectorAll("text")].map((text) => text.textContent) };
  }, picture);
  assert.equal(seen.fault, null);
  assert.deepEqual([seen.root, seen.classes], ["svg", false]);
  for (const [name, value] of Object.entries(expected)) assert.ok(seen.texts.includes(name) && (value === "gray" || seen.texts.includes(value)), name);
  const png = await exported(page, "PNG");
  assert.deepEqual([...png.subarray(1, 4)], [...Buffer.from("PNG")]);
  assert.ok(png.readUInt32BE(16) > 400 && png.length > 10_000);
  const tikz = String(await exported(page, "TikZ"));
  assert.match(tikz, /\\begin\{tikzpicture\}[\s\S]*\\end\{tikzpicture\}/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a name that .game files do not allow gives an error, and JSON and DOT keep it", async () => {
  const text = JSON.stringify({ nodes: ["a b", "c:_-.*%"], arcs: [["a b", "c:_-.*%"]] });
  const { page, context } = await drawn(text, { format: "json" });
  assert.deepEqual(await shown(page), { "a b": "1", "c:_-.*%": "0" });
  await page.getByRole("button", { name: ".game", exact: true }).click();
  await page.getByText("which .game files cannot have").waitFor();
  assert.deepEqual(await labels(String(await exported(page, "DOT")), "dot"), { "a b": "1", "c:_-.*%": "0" });
  await page.reload();
  assert.deepEqual(await shown(page), { "a b": "1", "c:_-.*%": "0" });
  await context.close();
});

test("the address stores the digraph, the layout, the pieces, the theory, the node and the round", async () => {
  const { page, context } = await drawn("gray g\nz:\na: z\nc: c g a\ng: z\n");
  await tool(page, "Piece");
  await chooseNode(page, "c");
  await chooseNode(page, "c");
  await page.getByLabel("Theory").selectOption("carry-on");
  await tool(page, "Draw");
  await chooseNode(page, "a");
  await settled(page);
  await page.getByRole("button", { name: "Previous round" }).click();
  const state = async (page) => {
    const values = await shown(page);
    return { values, places: await page.locator(".dg-node").evaluateAll((nodes) => nodes.map((node) => node.getAttribute("transform"))), arcs: await page.locator(".dg-arc").count(), pieces: await page.locator(".dg-piece").count(), selected: await page.locator(".is-selected .dg-name").allTextContents(), theory: await page.getByLabel("Theory").inputValue(), headline: await page.locator(".dg-headline").textContent() };
  };
  const before = await state(page);
  assert.deepEqual([before.pieces, before.selected, before.theory, before.arcs], [2, ["a"], "carry-on", 5]);
  assert.match(before.headline, /^Round/);
  const other = await open(chrome, server.address);
  await other.page.goto(page.url());
  await other.page.locator(".dg-node").first().waitFor();
  assert.deepEqual(await state(other.page), before);
  // The back button of the browser restores the previous drawing.
  await page.getByRole("button", { name: "Clear" }).click();
  await settled(page);
  assert.equal(await page.locator(".dg-node").count(), 0);
  await page.goBack();
  await page.locator(".dg-node").first().waitFor();
  assert.equal(await page.locator(".dg-node").count(), 4);
  await page.goto(`${server.address}/#/digraphs?d=nonsense`);
  await page.getByText("The digraph in the address cannot be read").waitFor();
  await other.context.close();
  await context.close();
});

test("the keyboard alone can draw a digraph and read its labels and explanations", async () => {
  const { page, context, faults } = await drawn();
  await page.getByRole("button", { name: "Clear" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await settled(page);
  await page.keyboard.press("n");
  await page.keyboard.press("r");
  await page.keyboard.type("z");
  await page.keyboard.press("Enter");
  await settled(page);
  const back = async () => { for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement?.matches(".dg-button"))); i += 1) await page.keyboard.press("Shift+Tab"); };
  await back();
  await page.keyboard.press("n");
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Enter");
  await page.keyboard.press("n");
  // The new node has the focus: a loop, and an arc to the gray one.
  await page.keyboard.press("a");
  await page.keyboard.press("Enter");
  await page.keyboard.press("a");
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Enter");
  assert.deepEqual(await shown(page), { z: "0", a: "gray", b: "∞*₀" });
  await page.keyboard.press("PageDown");
  await page.keyboard.press("p");
  await page.keyboard.press("Enter");
  await page.locator(".dg-reasons", { hasText: "b is white and has value ∞*₀" }).waitFor();
  await page.locator(".dg-sum", { hasText: "∞*₀" }).waitFor();
  const before = await middle(page, "b");
  await page.keyboard.press("Alt+ArrowRight");
  assert.ok((await middle(page, "b"))[0] > before[0]);
  await page.keyboard.press("Shift+N");
  assert.deepEqual(await shown(page), { z: "0", a: "gray", b: "☾₀", c: "0" });
  await page.keyboard.press("Delete");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  assert.deepEqual(await shown(page), { z: "0", a: "gray", b: "∞*₀" });
  assert.match(await page.locator("#status").textContent(), /carry-on theories|Deleted node/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the panels keep the focus while they change", async () => {
  const { page, context } = await drawn("z:\na: z\nb: z a\n");
  await chooseNode(page, "b");
  await page.locator(".dg-reasons").waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
  await page.getByRole("button", { name: "Add a piece" }).focus();
  for (const sum of ["2", "0", "2"]) {
    await page.keyboard.press("Enter");
    await page.locator(".dg-sum .value", { hasText: sum }).waitFor();
    assert.equal(await focused(), "Add a piece");
  }
  await page.getByRole("button", { name: "Remove the piece from b" }).nth(1).focus();
  await page.keyboard.press("Enter");
  await page.locator(".dg-sum .value", { hasText: "0" }).waitFor();
  assert.equal(await focused(), "Remove the piece from b");
  await page.getByRole("button", { name: "Delete the arc to z" }).focus();
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await focused(), "Delete the arc to a");
  await page.getByRole("checkbox", { name: "gray" }).focus();
  await page.keyboard.press("Space");
  assert.equal((await shown(page)).b, "gray");
  assert.equal(await page.evaluate(() => document.activeElement.type), "checkbox");
  await context.close();
});

test("touch can draw a digraph", async () => {
  const { page, context, faults } = await drawn("", { options: { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } } });
  const session = await context.newCDPSession(page);
  await page.locator(".dg-stage").scrollIntoViewIfNeeded();
  const touch = async (...points) => {
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: points[0][0], y: points[0][1] }] });
    for (const [x, y] of points.slice(1)) await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y }] });
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  await touch(await place(page, 0.3, 0.3));
  await touch(await place(page, 0.7, 0.5));
  await page.locator(".dg-node").nth(1).waitFor();
  const [a, b] = [await middle(page, "a"), await middle(page, "b")];
  await touch(b, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], a);
  assert.deepEqual(await shown(page), { a: "0", b: "1" });
  // Two fingers zoom and draw nothing.
  const [x, y] = await place(page, 0.5, 0.8);
  const width = async () => Number((await page.locator(".dg-stage").getAttribute("viewBox")).split(" ")[2]);
  const before = await width();
  const two = (d) => [{ x: x - d, y, id: 0 }, { x: x + d, y, id: 1 }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: two(20) });
  await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: two(30) });
  await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: two(60) });
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  assert.ok(await width() < before * 0.7);
  assert.equal(await page.locator(".dg-node").count(), 2);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a late answer does not replace a newer one", async () => {
  const { page, context } = await drawn("z:\na: z\n");
  let held = 0;
  await page.route("**/api/label", async (route) => {
    // Delay the first answer so that it comes last.
    held += 1;
    if (held === 1) await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue().catch(() => {});
  });
  await tool(page, "Gray");
  await chooseNode(page, "z");
  await page.locator(".dg-stage.is-stale").waitFor();
  await page.waitForFunction(() => true);
  while (held === 0) await page.waitForTimeout(20);
  assert.match(await page.locator(".dg-button").nth(1).getAttribute("aria-label"), /no label yet/);
  await chooseNode(page, "z");
  assert.deepEqual(await shown(page), { z: "0", a: "1" });
  await page.waitForTimeout(1700);
  assert.deepEqual(await shown(page), { z: "0", a: "1" });
  await context.close();
});

test("the layout of a digraph is stable and keeps nodes apart", async () => {
  const text = readFileSync(`${examples}menagerie.game`, "utf8");
  const places = (page) => page.locator(".dg-node").evaluateAll((nodes) => nodes.map((node) => node.getAttribute("transform")));
  const { page, context } = await drawn(text);
  const first = await places(page);
  await page.getByRole("button", { name: "Lay out" }).click();
  assert.deepEqual(await places(page), first);
  const points = first.map((text) => text.match(/-?[\d.]+/g).map(Number));
  points.forEach(([x, y], i) => points.slice(0, i).forEach(([u, v]) => assert.ok(Math.hypot(x - u, y - v) > 50)));
  await context.close();
});

test("a drag among 100 nodes and 300 arcs redraws only the node and its arcs", async () => {
  const arcs = Array.from({ length: 300 }, (_, i) => `n${(i * 7 + 1) % 100} n${(i * 13 + Math.floor(i / 100) * 31) % 100}`).join("\n");
  const { page, context, faults } = await drawn(arcs, { format: "edges" });
  assert.equal(await page.locator(".dg-node").count(), 100);
  await tool(page, "Move");
  const touched = await page.evaluate(() => {
    window.touched = new Set();
    const place = (element) => { const { node, arc } = element.closest("[data-node], [data-arc]")?.dataset ?? {}; return node ?? arc ?? element.closest(".dg-zones")?.className.baseVal ?? element.localName; };
    new MutationObserver((changes) => changes.forEach(({ target }) => window.touched.add(place(target)))).observe(document.querySelector(".dg-stage"), { subtree: true, attributes: true, childList: true });
    return document.querySelectorAll('[data-arc^="5>"], [data-arc$=">5"]').length;
  });
  await inView(page);
  const [x, y] = await page.locator('[data-node="5"] .dg-body').evaluate((body) => { const box = body.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; });
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y + 30, { steps: 10 });
  const count = await page.evaluate(() => window.touched.size);
  await page.mouse.up();
  assert.ok(count > 1 && count <= touched + 2, `${count} elements for ${touched} arcs`);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a digraph of 20,000 nodes shows a neighbourhood, a search and the counts of values", async () => {
  const count = 20_000;
  const lines = [];
  for (let i = 1; i < count; i += 1) for (const step of [1, 2, 5]) if (i - step >= 0) lines.push(`${i} ${i - step}`);
  lines.push(`${count - 1} ${count - 1}`);
  const text = lines.join("\n");
  const { page, context, faults } = await drawn("z:\n");
  await page.locator("input[type=file]").setInputFiles({ name: "long.edges", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.getByText("20,000 nodes and").first().waitFor({ timeout: 60_000 });
  const expected = await labels(text, "edges");
  assert.ok(await page.locator(".dg-node").count() < 100);
  const rows = await page.locator("section", { hasText: "A large digraph" }).locator("tbody tr").evaluateAll((rows) => rows.map((row) => [row.cells[0].textContent, Number(row.cells[1].textContent.replaceAll(",", ""))]));
  const counts = {};
  for (const value of Object.values(expected)) counts[value] = (counts[value] ?? 0) + 1;
  assert.deepEqual(Object.fromEntries(rows), counts);
  await page.getByLabel("Find a node").fill("19999");
  await page.keyboard.press("Enter");
  await page.locator(".is-selected .dg-name", { hasText: "19999" }).waitFor();
  const values = await shown(page);
  assert.ok("19998" in values && "19994" in values && !("19000" in values));
  for (const [name, value] of Object.entries(values)) assert.equal(value, expected[name], name);
  await page.locator(".dg-reasons", { hasText: "19999 is white and has value" }).waitFor();
  await page.getByRole("button", { name: "Add a piece" }).click();
  await page.locator(".dg-sum").waitFor();
  await chooseNode(page, "19994");
  await page.getByRole("button", { name: "Centre here" }).click();
  assert.ok("19989" in await shown(page));
  const game = String(await exported(page, ".game"));
  assert.equal(game.split("\n").filter(Boolean).length, count);
  assert.match(String(await exported(page, "TikZ")), /tikzpicture/);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const colorScheme of ["light", "dark"]) {
  for (const viewport of [{ width: 1200, height: 1000 }, { width: 360, height: 740 }]) {
    test(`axe-core finds no serious fault in digraphs in ${colorScheme} colours, ${viewport.width} pixels wide, and everything fits the width`, async () => {
      const text = readFileSync(`${examples}zones.game`, "utf8");
      const { page, context, faults } = await drawn(text, { options: { colorScheme, viewport } });
      const check = async (name) => {
        assert.deepEqual(await seriousFaults(page), [], name);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is too wide`);
      };
      await check("at rest");
      await chooseNode(page, "x");
      await page.getByRole("button", { name: "Add a piece" }).click();
      await page.locator(".dg-sum").waitFor();
      await page.locator(".dg-reasons").waitFor();
      await page.getByRole("button", { name: "Previous round" }).click();
      await page.getByText("Keyboard", { exact: true }).click();
      await check("chosen, with a piece, in a round");
      await page.getByLabel("Theory").selectOption("short");
      await page.getByText("does not fit").waitFor();
      await page.getByLabel("Or paste a digraph").fill("a: b\na: c\n");
      await page.getByRole("button", { name: "Draw this" }).click();
      await page.getByText("Line 2").waitFor();
      await check("with errors");
      await page.getByRole("button", { name: "Clear" }).click();
      await check("empty");
      assert.deepEqual(faults, []);
      await context.close();
    });
  }
}
