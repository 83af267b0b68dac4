// Plays games by clicks against the engine and checks the results.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chrome, game, open, server, startForAll } from "./program.js";

startForAll();

/** Waits until a person must move or the game is over, and returns the headline. */
async function settled(page) {
  await page.waitForFunction(() => {
    const headline = document.querySelector(".headline");
    return headline && !document.querySelector("#view.waiting") && /^(You|Player|A draw|The engine wins)/.test(headline.textContent);
  });
  return page.locator(".headline").textContent();
}

const isOver = (headline) => /wins?!|A draw/.test(headline);

/** For each ruleset, a position that the first player wins, and one that the second player wins. */
const GAMES = {
  "green-lime": ["green-lime:0-1g,1-2l,1-3l + green-lime:gg", "green-lime:g + green-lime:l"],
  nimstring: ["nimstring:1x3 + nim:2", "nimstring:1x2/1100/000 + nim:1"],
  lights: ["lights:2b1s1b + nim:1", "lights:2b + nim:2"],
  "top-entails": ["top-entails:5 + nim:2", "top-entails:5"],
  nim: ["nim:3 + nim:4 + nim:5", "nim:2 + nim:3 + nim:1"],
  slide: ["slide[-2,-3;9]:7 + nim:2", "slide[-2,-3;9]:5"],
  kayles: ["kayles:5 + nim:1", "kayles:3 + nim:3"],
  coins: ["coins:a-b,a-0,b-0", "coins:a-0,b-0"],
  "a sum of all": ["nimstring:1x1 + lights:1b1s + top-entails:4 + nim:3", "nim:1 + lights:1b + kayles:1 + slide[-1;3]:1"],
};

/** Requests the outcome from the program. */
async function outcome(position) {
  const response = await fetch(`${server.address}/api/value`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ expression: position }) });
  return (await response.json()).outcome;
}

for (const [ruleset, [won]] of Object.entries(GAMES)) {
  test(`the hints win: ${ruleset}`, async () => {
    assert.equal(await outcome(won), "N", won);
    const { page, context, faults } = await open(chrome, server.address);
    await page.goto(game(server.address, won));
    let headline = await settled(page);
    for (let turn = 0; turn < 40 && !isOver(headline); turn += 1) {
      await page.getByRole("button", { name: "Hint", exact: true }).click();
      await page.locator(".boards .target.hinted").first().waitFor();
      const played = await page.locator(".history li").count();
      await page.locator(".boards .target.hinted").first().click();
      const dialog = page.locator("dialog.choices button").first();
      await page.waitForFunction((played) => document.querySelector("dialog.choices") || document.querySelectorAll(".history li").length > played, played);
      if (await dialog.isVisible()) await dialog.click();
      await page.waitForFunction((played) => document.querySelectorAll(".history li").length > played, played);
      headline = await settled(page);
    }
    assert.match(headline, /^You win!/);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

for (const [ruleset, [, lost]] of Object.entries(GAMES)) {
  test(`the engine wins against arbitrary clicks where the second player wins: ${ruleset}`, async () => {
    assert.equal(await outcome(lost), "P", lost);
    const { page, context, faults } = await open(chrome, server.address);
    await page.goto(game(server.address, lost));
    let headline = await settled(page);
    for (let turn = 0; turn < 40 && !isOver(headline); turn += 1) {
      const targets = page.locator(".boards .target");
      const played = await page.locator(".history li").count();
      await targets.nth((turn * 7) % (await targets.count())).click({ force: true });
      await page.waitForFunction((played) => document.querySelector("dialog.choices") || document.querySelectorAll(".history li").length > played, played);
      const dialog = page.locator("dialog.choices button").first();
      if (await dialog.isVisible()) await dialog.click();
      await page.waitForFunction((played) => document.querySelectorAll(".history li").length > played, played);
      headline = await settled(page);
    }
    assert.match(headline, /^The engine wins!/);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("each move of a position has a click target on the board", async () => {
  const { page, context } = await open(chrome, server.address);
  for (const position of ["green-lime:0-1g,1-2l,1-3g,2-3g", "nimstring:2x2", "lights:2b3s1b1s", "top-entails:6", "nim:5", "slide[-2,-3,+1;9]:7", "kayles:6", "coins:a-b,b-c,c-a,a-0"]) {
    await page.goto("about:blank");
    await page.goto(game(server.address, position));
    await settled(page);
    const listed = new Set(await page.locator("#view table button.link").allTextContents());
    const labels = (await page.locator(".boards .target").evaluateAll((targets) => targets.map((target) => target.getAttribute("aria-label")))).flatMap((label) => label.split("; or "));
    for (const words of listed) assert.ok(labels.some((label) => label.toLowerCase() === words.toLowerCase()), `${position}: ${words} is not on the board`);
    if (position === "kayles:6") assert.equal(await page.locator(".boards .target").count(), 6, "every pin is a target, the first one too");
    // On these boards each target is one move, so no two moves share a target.
    if (/^(green-lime|nimstring|nim|slide|coins):?/.test(position)) {
      assert.equal(await page.locator(".boards .target").count(), listed.size, position);
      assert.equal(labels.length, listed.size, position);
    }
  }
  await context.close();
});

test("the guide wins the bartender's problem", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/play`);
  let headline = await settled(page);
  assert.match(await page.locator(".guide").textContent(), /You can win: which edge do you remove first\?/);
  let again = 0;
  for (let turn = 0; turn < 20 && !isOver(headline); turn += 1) {
    await page.getByRole("button", { name: "Show me a move" }).click();
    await page.locator(".boards .target.hinted").first().waitFor();
    const played = await page.locator(".history li").count();
    await page.locator(".boards .target.hinted").first().click();
    await page.waitForFunction((played) => document.querySelectorAll(".history li").length > played, played);
    headline = await settled(page);
    if (/must move again/.test(headline)) again += 1;
  }
  assert.match(headline, /^You win!/);
  assert.ok(again >= 2, "two glasses fall with a move each to spare");
  assert.match(await page.locator(".guide").textContent(), /You won!/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the guide reports a wrong move in the bartender's problem, and the user can take it back", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/play`);
  await settled(page);
  await page.locator(".component").nth(1).locator(".target[aria-label^='remove the lime edge 0-1']").click();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length > 1);
  await settled(page);
  await page.getByRole("button", { name: "Take it back" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length === 0);
  assert.match(await page.locator(".guide").textContent(), /which edge do you remove first/);
  await context.close();
});

test("after a carry-on move the mover moves again, and an entailing move highlights the component of the answer", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "lights:1b1s1b + top-entails:4", { with: "person" }));
  await settled(page);
  await page.locator(".target[aria-label='remove socket 1']").click();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length === 1);
  assert.match(await settled(page), /^Player 1 must move again/);
  await page.locator(".target[aria-label^='remove the top token']").click();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length === 2);
  assert.match(await settled(page), /^Player 2 must answer in component 1/);
  assert.equal(await page.locator(".component.is-due").count(), 1);
  assert.equal(await page.locator(".component").first().locator(".target").count(), 0, "nothing else can be moved");
  await context.close();
});

test("another page shows the same game from the address, and the back button takes moves back", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3 + nim:4 + nim:6"));
  await settled(page);
  for (const count of [2, 4]) {
    await page.getByRole("button", { name: "Hint", exact: true }).click();
    await page.locator(".boards .target.hinted").first().click();
    await page.waitForFunction((count) => document.querySelectorAll(".history li").length === count, count);
    await settled(page);
  }
  const shown = async (page) => ({ history: await page.locator(".history li").allTextContents(), sizes: await page.locator(".boards .size").allTextContents(), headline: await settled(page) });
  const here = await shown(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await other.waitForFunction(() => document.querySelectorAll(".history li").length === 4);
  assert.deepEqual(await shown(other), here);
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length === 2);
  await page.goForward();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length === 4);
  assert.deepEqual(await shown(page), here);
  await context.close();
});

test("moves are undone and redone", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3 + nim:5"));
  await settled(page);
  await page.locator(".target[aria-label='take 2 of 5']").click();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length === 2);
  await settled(page);
  const sizes = await page.locator(".boards .size").allTextContents();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length === 0);
  assert.deepEqual(await page.locator(".boards .size").allTextContents(), ["3", "5"]);
  await page.getByRole("button", { name: "Redo" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length === 2);
  assert.deepEqual(await page.locator(".boards .size").allTextContents(), sizes);
  await context.close();
});

test("moves are sorted by value, and each result has a word, a glyph and a colour", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:1 + nim:3"));
  await settled(page);
  await page.getByLabel("Show values").check();
  const rows = await page.locator("#view table").first().locator("tbody tr").allTextContents();
  assert.match(rows[0], /Take 2 of 3.*✓ wins.*0.*3/);
  assert.ok(rows.slice(1).every((row) => /✗ loses/.test(row)), rows.join("\n"));
  assert.equal(await page.locator(".badge-winning").count(), 1);
  await context.close();
});

test("the explanation shows the values, the cells of the table of sums, and why the turn wins", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/play`);
  await settled(page);
  await page.getByText("Explain this position").click();
  await page.locator(".explanation h3").first().waitFor();
  const text = await page.locator(".explanation").textContent();
  assert.match(text, /the sum has the value/i);
  assert.match(text, /How the values add/);
  assert.match(text, /brought to one of its forced values \{0\} first, and the zone left by one of its exits \{0,2\}/);
  assert.match(text, /every component has a nimber, and their nim-sum is 0 ⊕ 2 ⊕ 2 ⊕ 0 = 0/);
  assert.match(text, /So the turn wins/);
  assert.equal(await page.locator(".sums td.used").count(), 3);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the keyboard alone can play a game", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:1 + nim:2 + lights:1b"));
  let headline = await settled(page);
  for (let turn = 0; turn < 6 && !isOver(headline); turn += 1) {
    await page.keyboard.press("h");
    await page.locator(".boards .target.hinted").first().waitFor();
    for (let step = 0; step < 80; step += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement?.classList.contains("hinted"))) break;
    }
    assert.ok(await page.evaluate(() => document.activeElement?.matches(".target.hinted:focus-visible")), "the focus is seen");
    const played = await page.locator(".history li").count();
    await page.keyboard.press("Enter");
    await page.waitForFunction((played) => document.querySelectorAll(".history li").length > played, played);
    headline = await settled(page);
  }
  assert.match(headline, /^You win!/);
  await page.keyboard.press("u");
  await page.waitForFunction(() => !/win/.test(document.querySelector(".headline").textContent));
  await context.close();
});

test("a phone plays by touch, and nothing is wider than its screen", async () => {
  const { page, context } = await open(chrome, server.address, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.goto(`${server.address}/#/play`);
  await settled(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} pixels too wide`);
  await page.locator(".target[aria-label^='remove the green edge 0-1']").first().tap();
  await page.waitForFunction(() => document.querySelectorAll(".history li").length === 1);
  await context.close();
});

test("an exported game can be imported", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3 + nim:5", { m: "4" }));
  await page.waitForFunction(() => document.querySelectorAll(".history li").length >= 2);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
  const path = await file.path();
  const history = await page.locator(".history li").allTextContents();
  await page.goto("about:blank");
  await page.goto(game(server.address, "nim:1"));
  await settled(page);
  await page.locator("input[type=file]").setInputFiles({ name: "game.json", mimeType: "application/json", buffer: (await import("node:fs")).readFileSync(path) });
  await page.waitForFunction(() => document.querySelectorAll(".history li").length >= 2);
  assert.deepEqual(await page.locator(".history li").allTextContents(), history);
  await context.close();
});

test("an invalid position gives an error with its column, and the previous game stays", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3"));
  await settled(page);
  await page.getByLabel("Any sum of positions").fill("nim:3 + nym:4");
  await page.getByRole("button", { name: "Play this" }).click();
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /Unknown ruleset `nym`; did you mean `nim`\? \(column 9\)/);
  await page.getByRole("button", { name: "Random position" }).click();
  await page.waitForFunction(() => !document.querySelector("[role=alert]"));
  await settled(page);
  await context.close();
});

test("an engine without skill starts a lost position and loses", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:4 + nim:4", { first: "engine", skill: "0" }));
  let headline = await settled(page);
  assert.equal(await page.locator(".history li").count(), 1);
  assert.equal(await page.getByLabel("Skill of the engine").inputValue(), "0");
  for (let turn = 0; turn < 12 && !isOver(headline); turn += 1) {
    await page.getByRole("button", { name: "Hint", exact: true }).click();
    const played = await page.locator(".history li").count();
    await page.locator(".boards .target.hinted").first().click();
    await page.waitForFunction((played) => document.querySelectorAll(".history li").length > played, played);
    headline = await settled(page);
  }
  assert.match(headline, /^You win!/);
  await context.close();
});

test("the players can agree on a draw after a position repeats", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "slide[-1,+1;4]:2", { with: "person" }));
  await settled(page);
  assert.equal(await page.getByRole("button", { name: "Agree on a draw" }).isVisible(), false);
  for (const [count, square] of [[1, 3], [2, 2]]) {
    await page.locator(`.target[aria-label$=', to ${square}']`).click();
    await page.waitForFunction((count) => document.querySelectorAll(".history li").length === count, count);
    await settled(page);
  }
  await page.getByRole("button", { name: "Agree on a draw" }).click();
  assert.match(await settled(page), /^A draw: both players agreed/);
  await context.close();
});
