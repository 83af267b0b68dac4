// Each edge of a drawing has its own click target: a click on it makes its move.
import assert from "node:assert/strict";
import { test } from "node:test";
import { generator, position } from "./graphs.js";
import { chrome, game, open, server, startForAll } from "./program.js";

startForAll();

/** Opens a position and waits until a move is possible. */
async function show(page, text, options = {}) {
  await page.goto(game(server.address, text, { with: "person", ...options }));
  await page.waitForFunction((text) => document.querySelector("#position")?.value === text && !document.querySelector("#view.waiting") && document.querySelector(".boards .target"), text);
}

/** Returns the points of edges, away from other edges, where a click would choose another edge. */
const wrongPlaces = (page) => page.evaluate(() => {
  const lines = [...document.querySelectorAll(".boards .edge")].map((path) => {
    const length = path.getTotalLength();
    return { path, points: Array.from({ length: 41 }, (_, i) => path.getPointAtLength((i / 40) * length)) };
  });
  const picture = document.querySelector(".boards .picture");
  picture.scrollIntoView({ block: "center" });
  return lines.flatMap(({ path, points }) => points.flatMap((point, i) => {
    const isOwn = lines.every((other) => other.path === path || other.points.every(({ x, y }) => Math.hypot(x - point.x, y - point.y) > 12));
    if (!isOwn) return [];
    const at = point.matrixTransform(path.getScreenCTM());
    const hit = document.elementFromPoint(at.x, at.y);
    // Coins and handles may visibly cover an edge.
    if (!hit?.closest(".cuttable") || hit.closest(".cuttable") === path.closest(".cuttable")) return [];
    return [`${i}/40 of ${path.closest(".cuttable").getAttribute("aria-label")}: ${hit.closest(".cuttable").getAttribute("aria-label")}`];
  }));
});

/** Clicks on the middle of each edge and on each handle, takes each move back, and returns the number of edges. */
async function clickAll(page, text) {
  const targets = page.locator(".boards .target");
  const count = await targets.count();
  for (let i = 0; i < count; i += 1) {
    const { words, x, y } = await targets.nth(i).evaluate((target) => {
      const path = target.querySelector(".edge");
      const place = () => {
        if (path) return path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
        const box = target.querySelector(".handle").getBoundingClientRect();
        return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
      };
      scrollBy(0, place().y - innerHeight / 2);
      const frame = target.closest(".component");
      frame.scrollLeft += place().x - frame.getBoundingClientRect().left - frame.clientWidth / 2;
      return { words: target.getAttribute("aria-label"), x: place().x, y: place().y };
    });
    await page.mouse.click(x, y);
    await page.waitForFunction(() => document.querySelectorAll(".history li").length === 1 && !document.querySelector("#view.waiting"));
    const made = await page.locator(".history li").textContent();
    assert.equal(made.replace(/^Player 1: /, "").replace(/ \(moves again\)$/, ""), words.replace(/, in part \d+$/, ""), text);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".history li").length === 0 && !document.querySelector("#view.waiting") && document.querySelector(".boards .target"));
  }
  return page.locator(".boards .cuttable").count();
}

for (const [ruleset, rounds] of [["coins", 80], ["green-hackenbush", 60], ["green-lime", 60]]) {
  test(`a click on an edge of a random ${ruleset} position makes the move of that edge`, async () => {
    const random = generator(11);
    const { page, context, faults } = await open(chrome, server.address);
    let clicked = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { text, edges } = position(ruleset, random, 7);
      await show(page, text);
      assert.deepEqual(await wrongPlaces(page), [], text);
      const count = await clickAll(page, text);
      assert.equal(count, edges.length, text);
      clicked += count;
    }
    assert.ok(clicked > 3 * rounds, `${clicked}`);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("a click on a string of the preset cuts that string", async () => {
  const { page, context } = await open(chrome, server.address);
  for (const values of [{}, { values: "1" }]) {
    await show(page, "coins:a-b,b-c,c-a,a-0,b-0,c-0", values);
    const drawn = await page.evaluate(() => {
      const coins = [...document.querySelectorAll(".coin-name")].map((name) => ({ name: name.textContent, x: Number(name.getAttribute("x")), y: Number(name.getAttribute("y")) - 5 }));
      return [...document.querySelectorAll(".cuttable")].map((target) => {
        const path = target.querySelector(".edge");
        const ends = [0, path.getTotalLength()].map((length) => path.getPointAtLength(length));
        return [/cut the string ([a-z0-]+)/.exec(target.getAttribute("aria-label"))[1], ends.map(({ x, y }) => coins.find((coin) => Math.hypot(coin.x - x, coin.y - y) < 1)?.name ?? "0").sort().join("")];
      });
    });
    for (const [string, ends] of drawn) assert.equal([...string.replace("-", "")].sort().join(""), ends);
    assert.deepEqual(await wrongPlaces(page), []);
  }
  await show(page, "coins:a-b,b-c,c-a,a-0,b-0,c-0");
  assert.equal(await clickAll(page, "the preset"), 6);
  await context.close();
});

test("a position with too many edges to draw shows its moves as buttons", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, `green-hackenbush:0-1${",1-1".repeat(60)}`, { with: "person" }));
  await page.locator(".boards .listed button").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length === 1);
  assert.match(await page.locator(".history li").textContent(), /remove the edge 0-1; 60 edges fall/);
  assert.deepEqual(faults, []);
  await context.close();
});
