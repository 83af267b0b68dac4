// Every ruleset has a board, on which each move can be clicked, and is played to its end by clicks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { chrome, game, open, server, startForAll } from "./program.js";

startForAll();

const LADDERS = readFileSync(fileURLToPath(new URL("../../../../examples/rulesets/ladders.json", import.meta.url)), "utf8");
const DIGRAPH = JSON.stringify({ nodes: ["z", "a", "b", "c", "d"], gray: ["g"], arcs: [["a", "z"], ["b", "a"], ["b", "z"], ["c", "b"], ["c", "g"], ["g", "a"], ["g", "z"], ["d", "d"], ["d", "a"]] });

/** A position of each ruleset that can end, and what else the address needs. */
const POSITIONS = [
  ["nim", "nim:4"], ["subtraction", "subtraction[1,3]:7"], ["kayles", "kayles:6"], ["dawsons-kayles", "dawsons-kayles:6"], ["dawsons-chess", "dawsons-chess:5"],
  ["treblecross", "treblecross:6"], ["guiles", "guiles:6"], ["officers", "officers:5"], ["octal", "octal[0.156]:6"], ["octal with splits", "octal[4.07]:6"],
  ["hexadecimal", "hexadecimal[0.33F]:7"], ["grundys-game", "grundys-game:7"], ["top-entails", "top-entails:5"], ["wythoff", "wythoff:2,4"],
  ["nimstring", "nimstring:1x2"], ["lights", "lights:2b1s1b"], ["slide", "slide[-1,-3;8]:7"], ["green-lime", "green-lime:0-1g,1-2l"], ["green-hackenbush", "green-hackenbush:0-1,1-2,0-2"],
  ["coins", "coins:a-0,a-b,b-0"], ["ladders", "ladders[board]:14", { file: `board:${LADDERS}` }], ["digraph", "digraph[d.json]:c + digraph[d.json]:b", { file: `d.json:${DIGRAPH}` }],
  ["backsliding", "backsliding:t..f"], ["fox-geese", "fox-geese:4/geese=3.1,3.3/fox=2.2"],
];

const settled = (page) => page.waitForFunction(() => document.querySelector(".headline strong") && !document.querySelector("#view.waiting"));

for (const [name, position, options = {}] of POSITIONS) {
  test(`each move has a target on the board, and clicks play to the end: ${name}`, async () => {
    const { page, context, faults } = await open(chrome, server.address);
    await page.goto(game(server.address, position, { with: "person", ...options }));
    let end = false;
    for (let ply = 0; ply < 40 && !end; ply += 1) {
      await settled(page);
      assert.equal(await page.getByRole("alert").count(), 0, await page.locator("#view").textContent());
      end = await page.getByText("The game is over.").count() > 0;
      if (end) break;
      const { listed, moves, targets } = await page.evaluate(() => ({
        listed: document.querySelectorAll(".boards .listed").length,
        moves: [...document.querySelectorAll("tr[data-move]")].map((row) => row.dataset.move),
        targets: [...document.querySelectorAll(".boards .target[data-choices]")].flatMap((target) => target.dataset.choices.split(" ")),
      }));
      assert.equal(listed, 0, "the moves are on the board");
      assert.deepEqual(moves.filter((move) => !targets.includes(move)), [], `${position}, ply ${ply}`);
      // The last target: most often the move that takes most, so that games end.
      const last = page.locator(".boards .target[data-choices]").nth(ply % 2 ? -1 : 0);
      await last.focus();
      await page.keyboard.press("Enter");
      const dialog = page.locator("dialog.choices button").first();
      if (await dialog.count()) await dialog.click();
      await page.waitForFunction((ply) => document.querySelectorAll(".history li").length === ply + 1, ply);
    }
    // Pieces that may go back for ever need not come to an end.
    if (!["backsliding", "fox-geese", "digraph", "ladders"].includes(name)) assert.ok(end, `${position} did not end`);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

for (const [position, starts] of [["backsliding:tt..f", "left"], ["fox-geese:4/geese=3.1,3.3/fox=2.2", "left"], ["fox-geese:4/geese=4.2,3.1/fox=1.1", "right"], ["backsliding:t..f + nim:2", "right"]]) {
  test(`hints win a game of Left and Right, or the engine does: ${position}, ${starts} starts`, async () => {
    const { page, context, faults } = await open(chrome, server.address);
    await page.goto(game(server.address, position, { ...(starts === "right" ? { starts } : {}), values: "1" }));
    await settled(page);
    const side = starts === "left" ? "Left" : "Right";
    assert.match(await page.locator(".headline").textContent(), RegExp(`You are to move, as ${side}\\.`));
    const { outcome } = await (await fetch(`${server.address}/api/value`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ expression: position }) })).json();
    const expected = outcome[`${starts}_first`];
    for (let turn = 0; turn < 12; turn += 1) {
      await page.waitForFunction(() => /win|draw/.test(document.querySelector(".headline").textContent) || [...document.querySelectorAll("button")].some((button) => button.textContent === "Hint" && !button.disabled));
      if (/win|draw/i.test(await page.locator(".headline").textContent())) break;
      await page.getByRole("button", { name: "Hint", exact: true }).click();
      await page.locator(".boards .target.hinted").first().focus();
      await page.keyboard.press("Enter");
      const dialog = page.locator("dialog.choices button").first();
      if (await dialog.count()) await dialog.click();
      await page.waitForFunction(() => !document.querySelector("#view.waiting"));
    }
    const said = await page.locator(".headline").textContent();
    if (expected === side[0]) assert.match(said, /^You win!/);
    else if (expected === "D") assert.doesNotMatch(said, /win!|wins!/);
    else assert.match(said, /^The engine wins!/);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("the person can be Right, and a link holds who starts", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "backsliding:t..f", { with: "person" }));
  await settled(page);
  assert.match(await page.locator(".headline").textContent(), /^Left is to move/);
  assert.equal(await page.getByText("Explain this position").isVisible(), false);
  await page.getByLabel("The first player is").selectOption("right");
  await page.waitForFunction(() => /^Right is to move/.test(document.querySelector(".headline").textContent));
  assert.match(page.url(), /starts=right/);
  await page.locator(".boards .target").first().click();
  await page.waitForFunction(() => /^Left is to move/.test(document.querySelector(".headline").textContent));
  assert.match(await page.locator(".history li").textContent(), /^Right: .*frog/);
  await page.reload();
  await page.waitForFunction(() => /^Left is to move/.test(document.querySelector(".headline").textContent));
  assert.deepEqual(faults, []);
  await context.close();
});

test("a digraph that was drawn is played with its pieces", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/digraphs?x=zones`);
  await page.getByRole("button", { name: "Play this digraph" }).click();
  await settled(page);
  assert.equal(await page.locator(".boards .component .picture").count(), 3);
  await page.locator(".boards .target").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length >= 1);
  assert.match(await page.locator(".history li").first().textContent(), /move the piece to/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("positions on squares are set up by hand", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:1", { with: "person" }));
  await settled(page);
  await page.getByText("Set up your own position").click();
  const use = async (position) => {
    await page.getByRole("button", { name: "Play this position" }).click();
    await page.waitForFunction((position) => document.querySelector("#position").value === position && !document.querySelector("#view.waiting"), position);
    assert.equal(await page.getByRole("alert").count(), 0);
  };
  await page.locator("#setup-kind").selectOption("Toads and frogs");
  await page.getByRole("button", { name: /^square 3, empty/ }).click();
  await use("backsliding:ttt.ff");
  await page.locator("#setup-kind").selectOption("Fox and geese");
  await page.getByRole("button", { name: /^square 5\.5, a goose/ }).click();
  await page.getByRole("button", { name: /^square 4\.2, empty/ }).click();
  await use("fox-geese:6/geese=4.2,5.1,5.3/fox=5.5");
  await page.locator("#setup-kind").selectOption("A token on a row");
  await page.getByRole("button", { name: /^square 5: put/ }).click();
  await use("slide[-2,-3,+1;12]:5");
  assert.deepEqual(faults, []);
  await context.close();
});
