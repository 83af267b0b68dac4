// What the user can see: errors in the window, boards that stay in place, complete numbers and words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chrome, game, open, server, startForAll } from "./program.js";

startForAll();

const played = (page, count) => page.waitForFunction((count) => document.querySelectorAll(".history li").length === count && !document.querySelector("#view.waiting"), count);
const settled = (page) => page.waitForFunction(() => /^(You|Player|A draw|The engine wins)/.test(document.querySelector(".headline")?.textContent ?? "") && !document.querySelector("#view.waiting"));

/** Waits for an error and checks that the window shows all of it. */
async function checkAlert(page, name) {
  const alert = page.getByRole("alert");
  await alert.waitFor();
  const { top, bottom, height } = await alert.evaluate((alert) => ({ ...alert.getBoundingClientRect().toJSON(), height: innerHeight }));
  assert.ok(top >= 0 && bottom <= height, `${name}: the error is at ${top} to ${bottom} in a window of ${height}`);
}

for (const [device, options] of [["a screen of 1280 by 720", { viewport: { width: 1280, height: 720 } }], ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]]) {
  test(`errors are visible on ${device}`, async () => {
    const { page, context } = await open(chrome, server.address, options);
    await page.goto(game(server.address, "nim:3 + nim:4 + nim:5 + top-entails:5"));
    await settled(page);
    await page.getByLabel("Any sum of positions").fill("nim:3 + nym:4");
    await page.getByRole("button", { name: "Play this" }).click();
    await checkAlert(page, "a position");
    assert.equal(await page.locator("#position").getAttribute("aria-invalid"), "true");
    await page.locator("input[type=file]").setInputFiles({ name: "odd.json", mimeType: "application/json", buffer: Buffer.from("[]") });
    await checkAlert(page, "a file");
    // An error that no field of the form caused appears at the board.
    await page.route("**/api/moves", (route) => route.abort("connectionrefused"));
    await page.getByRole("button", { name: "Random position" }).click();
    await page.getByRole("alert").filter({ hasText: "Cannot reach the program" }).waitFor();
    await checkAlert(page, "a random position");

    await page.goto(`${server.address}/#/tables?p=kayles&to=100`);
    await page.locator(".period").waitFor();
    await page.route("**/api/table", (route) => route.abort("connectionrefused"));
    await page.getByRole("button", { name: "CSV" }).click();
    await checkAlert(page, "a download");

    await page.goto(`${server.address}/#/digraphs`);
    await page.locator(".dg-node").first().waitFor();
    await page.getByLabel("Or paste a digraph").fill("a: b\na: c\n");
    await page.getByRole("button", { name: "Draw this" }).click();
    await checkAlert(page, "a digraph");
    await page.route("**/api/label", (route) => route.abort("connectionrefused"));
    await page.getByLabel("Example").selectOption("nim");
    await checkAlert(page, "an example");

    await page.goto(`${server.address}/#/loopy?g=upon`);
    await page.locator(".loopy-picture").waitFor();
    await page.route("**/api/loopy", (route) => route.abort("connectionrefused"));
    await page.getByRole("button", { name: "DOT" }).click();
    await checkAlert(page, "a download of a graph");
    await context.close();
  });

  test(`boards stay in place on ${device}`, async () => {
    const { page, context } = await open(chrome, server.address, options);
    const places = () => page.locator(".component").evaluateAll((components) => components.map((component) => {
      const { left, top } = component.getBoundingClientRect();
      return [left + scrollX, top + scrollY];
    }));
    const shift = (before, after) => Math.max(...before.flatMap(([x, y], i) => [Math.abs(after[i][0] - x), Math.abs(after[i][1] - y)]));
    await page.goto(game(server.address, "nim:9 + nim:8 + nim:7", { with: "person" }));
    await settled(page);
    let before = await places();
    for (const [turn, label] of ["take 9 of 9", "take 7 of 8", "take 6 of 7"].entries()) {
      await page.locator(`.target[aria-label='${label}']`).click();
      await played(page, turn + 1);
      const after = await places();
      assert.ok(shift(before, after) < 30, `heaps: ${JSON.stringify([before, after])}`);
      before = after;
    }
    // The guide says something else after each move, in a text of another length.
    await page.goto("about:blank");
    await page.goto(`${server.address}/#/play`);
    await settled(page);
    before = await places();
    for (let move = 0; move < 3; move += 1) {
      await page.getByRole("button", { name: "Show me a move" }).click();
      await page.locator(".boards .target.hinted").first().waitFor();
      const count = await page.locator(".history li").count();
      await page.locator(".boards .target.hinted").first().click();
      await page.waitForFunction((count) => document.querySelectorAll(".history li").length > count, count);
      await settled(page);
      const after = await places();
      assert.ok(shift(before, after) < 40, `the guide: ${JSON.stringify([before, after])}`);
      before = after;
    }
    await context.close();
  });
}

test("the numbers of a long history are complete", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:120", { with: "person", m: Array.from({ length: 110 }, (_, i) => 119 - i).join(".") }));
  await played(page, 110);
  const room = await page.locator(".history").evaluate((list) => {
    const last = list.lastElementChild;
    const style = getComputedStyle(last);
    const context = document.createElement("canvas").getContext("2d");
    context.font = style.font;
    return last.querySelector("strong").getBoundingClientRect().left - list.getBoundingClientRect().left - context.measureText("110.").width;
  });
  assert.ok(room >= 0, `${-room} pixels of the number are hidden`);
  await context.close();
});

test("the explanation breaks no word", async () => {
  for (const width of [1280, 390]) {
    const { page, context } = await open(chrome, server.address, { viewport: { width, height: 844 } });
    await page.goto(game(server.address, "green-lime:0-1g,1-2l,1-3g,2-3g + kayles:9"));
    await settled(page);
    await page.getByText("Explain this position").click();
    await page.locator(".explanation details").first().waitFor();
    const broken = await page.evaluate(() => {
      document.querySelectorAll(".explanation details").forEach((details) => { details.open = true; });
      return [...document.querySelectorAll(".explanation td:not(:first-child)")].flatMap((cell) => {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        const found = [];
        while (walker.nextNode()) {
          for (const { index, 0: word } of walker.currentNode.data.matchAll(/[a-z]{2,}/g)) {
            const range = document.createRange();
            range.setStart(walker.currentNode, index);
            range.setEnd(walker.currentNode, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
          }
        }
        return found;
      });
    });
    assert.deepEqual(broken, [], `${width} wide`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} wide`);
    await context.close();
  }
});

test("moves in two parts of a component have different names", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "kayles:7", { with: "person", m: "3" }));
  await played(page, 1);
  const moves = await page.locator("#view table button.link").allTextContents();
  assert.ok(moves.includes("Take 1 of 3, in part 0") && moves.includes("Take 1 of 3, in part 1"), String(moves));
  assert.equal(new Set(moves).size, moves.length);
  const labels = (await page.locator(".boards .target").evaluateAll((targets) => targets.map((target) => target.getAttribute("aria-label")))).flatMap((label) => label.split("; or "));
  for (const move of moves) assert.ok(labels.some((label) => label.toLowerCase() === move.toLowerCase()), move);
  await page.getByRole("button", { name: "Take 2 of 3, in part 1", exact: true }).first().click();
  await played(page, 2);
  assert.deepEqual(await page.locator(".boards .size").allTextContents(), ["3", "1"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a board of several lines can be pasted, and Enter plays it", async () => {
  const { page, context, faults } = await open(chrome, server.address, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(game(server.address, "nim:3"));
  await settled(page);
  await page.evaluate(() => navigator.clipboard.writeText("nimstring:\n+--+  +\n|     |\n+--+--+"));
  await page.getByLabel("Any sum of positions").fill("");
  await page.keyboard.press("ControlOrMeta+v");
  await page.keyboard.press("Enter");
  await page.locator(".boards .drawn").first().waitFor({ state: "attached" });
  await settled(page);
  assert.equal(await page.locator(".boards .drawn").count(), 5);
  assert.equal(await page.locator(".boards .missing").count(), 2);
  // The address keeps the lines.
  await page.reload();
  await page.locator(".boards .drawn").first().waitFor({ state: "attached" });
  assert.equal((await page.locator("#position").inputValue()).split("\n").length, 4);
  // An error names the line.
  await page.getByLabel("Any sum of positions").fill("nim:3 +\nnym:4");
  await page.getByLabel("Any sum of positions").press("Enter");
  assert.match(await page.getByRole("alert").textContent(), /\(line 2, column 1\)/);
  assert.deepEqual(faults, []);
  await context.close();
});
