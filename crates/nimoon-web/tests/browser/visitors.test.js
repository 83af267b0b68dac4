// What a visitor sees: the first screen, lessons, the puzzle, large boards, the last move, editors, and what can be taken away.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chrome, game, open, server, startForAll } from "./program.js";

startForAll();

const played = (page, count) => page.waitForFunction((count) => document.querySelectorAll(".history li").length === count && !document.querySelector("#view.waiting"), count);
const settled = (page) => page.waitForFunction(() => /^(You|Player|A draw|The engine wins)/.test(document.querySelector(".headline")?.textContent ?? "") && !document.querySelector("#view.waiting"));

/** Clicks the move that is highlighted; where several moves share a target, the first of the dialog is the highlighted one. */
async function clickHinted(page) {
  await page.locator(".boards .target.hinted").first().click();
  const dialog = page.locator("dialog.choices button").first();
  if (await dialog.count()) await dialog.click();
}

test("the first screen says in ten words what this is, shows a game that moves, and can be paused", async () => {
  const { page, context, faults } = await open(chrome, server.address, { reducedMotion: "no-preference" });
  await page.goto(server.address);
  const words = (await page.locator("h1").textContent()).trim().split(/\s+/);
  assert.equal(words.length, 10, words.join(" "));
  await page.waitForFunction(() => /Player 1: remove/.test(document.querySelector(".arena .headline")?.textContent ?? ""));
  assert.ok(await page.locator(".arena .gone").count() > 0, "the edges that fell leave a shadow");
  await page.getByRole("button", { name: "Pause" }).click();
  const before = await page.locator(".arena .headline").textContent();
  await page.waitForTimeout(2500);
  assert.equal(await page.locator(".arena .headline").textContent(), before);
  for (const name of ["Learn", "Play", "Puzzle", "Explore", "Tables", "Values"]) assert.equal(await page.locator("#navigation").getByRole("link", { name, exact: true }).count(), 1, name);
  assert.deepEqual(faults, []);
  await context.close();
});

test("nothing moves for a visitor who asked for less motion", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(server.address);
  await page.locator(".arena .picture").first().waitFor();
  const before = await page.locator(".arena .headline").textContent();
  await page.waitForTimeout(2500);
  assert.equal(await page.locator(".arena .headline").textContent(), before);
  await context.close();
});

test("each lesson is finished by its hints", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/learn?step=1`);
  const count = await page.locator(".lesson-list li").count();
  assert.ok(count >= 12 && count <= 15, String(count));
  for (let step = 1; step <= count; step += 1) {
    await page.waitForFunction((step) => document.querySelector("h1")?.textContent.startsWith(`${step}. `), step);
    for (let turn = 0; turn < 30 && await page.locator(".lesson-result .good").count() === 0; turn += 1) {
      await page.waitForFunction(() => document.querySelector(".lesson-result .good") || !document.querySelector(".arena .row button").disabled);
      if (await page.locator(".lesson-result .good").count()) break;
      const headline = await page.locator(".arena .headline").textContent();
      await page.getByRole("button", { name: "Hint", exact: true }).click();
      await page.locator(".boards .target.hinted").first().waitFor();
      await clickHinted(page);
      await page.waitForFunction((before) => document.querySelector(".lesson-result .good") || document.querySelector(".arena .headline").textContent !== before || document.querySelector(".boards .gone, .boards .came"), headline);
      await page.waitForTimeout(50);
    }
    assert.equal(await page.locator(".lesson-result .good").count(), 1, `lesson ${step}`);
    assert.equal(await page.locator(".lesson-done").count(), step);
    if (step < count) await page.getByRole("button", { name: "Next lesson" }).click();
  }
  // Finished lessons are remembered.
  await page.reload();
  await page.locator(".lesson-done").first().waitFor();
  assert.equal(await page.locator(".lesson-done").count(), count);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the puzzle of a day is the same for everybody, one first move wins, and a solved one counts", async () => {
  const position = async (day) => {
    const { page, context } = await open(chrome, server.address);
    await page.goto(`${server.address}/#/puzzle?day=${day}`);
    await page.locator(".boards .target").first().waitFor();
    await page.getByRole("button", { name: "Look at it in Play" }).click();
    const text = await page.locator("#position").inputValue();
    await context.close();
    return text;
  };
  const text = await position("2031-05-17");
  assert.equal(await position("2031-05-17"), text);
  assert.notEqual(await position("2031-05-18"), text);
  const response = await fetch(`${server.address}/api/moves`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ position: text }) });
  const { moves } = await response.json();
  const winning = new Set(moves.filter(({ achieves }) => achieves === "winning").map(({ component, to }) => `${component} ${to}`));
  assert.equal(winning.size, 1, text);
  const { page, context } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/puzzle`);
  for (let turn = 0; turn < 30 && await page.locator(".notice.good").count() === 0; turn += 1) {
    await page.waitForFunction(() => document.querySelector(".notice.good") || !document.querySelector(".arena .row button")?.disabled);
    if (await page.locator(".notice.good").count()) break;
    await page.getByRole("button", { name: "Hint", exact: true }).click();
    await page.locator(".boards .target.hinted").first().waitFor();
    await clickHinted(page);
    await page.waitForTimeout(150);
  }
  assert.match(await page.locator(".streak").textContent(), /^Solved 1 day in a row\.$/);
  await context.close();
});

for (const [name, position] of [["a grid", "nimstring:3x3"], ["glasses", "green-lime:0-1g,1-2l,1-3l + green-lime:0-1l,1-2g,1-3l"], ["coins", "coins:a-b,b-c,c-a,a-0,b-0,c-0"]]) {
  test(`a board takes two fifths of a large window, and fits a phone: ${name}`, async () => {
    for (const [width, height] of [[1440, 900], [1920, 1080], [390, 844]]) {
      const { page, context } = await open(chrome, server.address, { viewport: { width, height } });
      await page.goto(game(server.address, position));
      await page.locator(".boards .target").first().waitFor();
      const { board, pictures, wide } = await page.evaluate(() => ({
        board: document.querySelector(".boards").getBoundingClientRect().height,
        pictures: [...document.querySelectorAll(".boards .component")].map((component) => component.getBoundingClientRect()).map(({ left, right, height }) => ({ left, right, height })),
        wide: document.documentElement.scrollWidth - innerWidth,
      }));
      assert.ok(wide <= 0, `${wide} pixels too wide at ${width}`);
      if (width > 1000) {
        assert.ok(board >= 0.4 * height, `${board} of ${height}`);
        if (name === "a grid") assert.ok(pictures[0].height >= 0.4 * height, `${pictures[0].height} of ${height}`);
      } else assert.ok(pictures.every(({ left, right }) => left >= 0 && right <= width), JSON.stringify(pictures));
      await context.close();
    }
  });
}

test("the last move is marked, in a fresh page too, and moves only where motion is wanted", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nimstring:1x2", { with: "person" }));
  await settled(page);
  assert.equal(await page.locator(".came, .gone").count(), 0);
  await page.locator(".boards .target").first().click();
  await played(page, 1);
  assert.equal(await page.locator(".boards .drawn.came").count(), 1);
  assert.equal(await page.locator(".is-moving").count(), 0);
  await page.locator(".boards .target").first().click();
  await played(page, 2);
  assert.equal(await page.locator(".boards .drawn").count(), 2);
  assert.equal(await page.locator(".boards .drawn.came").count(), 1, "the last move alone");
  await page.reload();
  await played(page, 2);
  await page.locator(".boards .drawn.came").waitFor({ state: "attached" });
  await context.close();

  const moving = await open(chrome, server.address, { reducedMotion: "no-preference" });
  await moving.page.goto(game(server.address, "green-lime:0-1g,1-2l,1-3l + nim:1", { with: "person" }));
  await settled(moving.page);
  await moving.page.locator(".target[aria-label^='remove the green edge 0-1']").click();
  await played(moving.page, 1);
  assert.equal(await moving.page.locator(".gone").count(), 3);
  assert.equal(await moving.page.locator(".gone.is-fallen.is-moving").count(), 2, "the lime edges fell");
  const time = await moving.page.locator(".gone.is-moving").first().evaluate((gone) => getComputedStyle(gone).animationDuration);
  assert.equal(time, "0.2s");
  await moving.context.close();
});

test("the board and the list of moves light each other up", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nimstring:1x2", { with: "person" }));
  await settled(page);
  await page.locator("[data-move] button.link").nth(2).hover();
  assert.equal(await page.locator(".boards .target.is-lit").count(), 1);
  const name = await page.locator(".boards .target.is-lit").getAttribute("aria-label");
  assert.equal((await page.locator("[data-move] button.link").nth(2).textContent()).toLowerCase(), name);
  await page.locator(".boards .target").first().hover();
  assert.equal(await page.locator("[data-move].is-lit").count(), 1);
  await context.close();
});

test("rules and goal stand beside the board, and good play and refutations are shown on demand", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "top-entails:4 + nim:2", { values: "1", with: "person" }));
  await settled(page);
  await page.locator(".rules dt").first().waitFor();
  assert.deepEqual(await page.locator(".rules dt").allTextContents(), ["top-entails", "nim"]);
  assert.match(await page.locator("#rules-title + div").textContent(), /Goal: A player who cannot move loses/);
  await page.getByRole("button", { name: "Best play" }).click();
  await page.locator(".line-box .line li").first().waitFor();
  assert.match(await page.locator(".line-box").textContent(), /cannot move/);
  await page.getByRole("button", { name: /^Why does it lose/ }).first().click();
  await page.locator(".line-box .steps:not(.line) li").first().waitFor();
  assert.match(await page.locator(".line-box").textContent(), /loses\. The opponent answers/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a position is drawn by hand and played", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:1", { with: "person" }));
  await settled(page);
  await page.getByText("Set up your own position").click();
  const use = () => page.getByRole("button", { name: "Play this position" }).click();
  const position = () => page.locator("#position").inputValue();
  // A grid: three lines of the first box.
  for (const line of ["h0,0", "v0,0", "h1,0"]) await page.locator(`[data-line="${line}"]`).click({ force: true });
  await use();
  await page.waitForFunction(() => document.querySelectorAll(".boards .drawn").length === 3);
  assert.equal(await position(), "nimstring:2x3/100100000/10000000");
  // A stalk: the ground is chosen at the start, and two clicks on the sheet make two points.
  await page.locator("#setup-kind").selectOption("Green-lime edges");
  await page.locator(".sheet").click({ position: { x: 200, y: 180 } });
  await page.locator(".sheet").click({ position: { x: 200, y: 90 } });
  await page.locator(".setup .target[aria-label^='edge 1-2, green']").click({ force: true });
  await use();
  await page.waitForFunction(() => document.querySelector("#position").value === "green-lime:0-1g,1-2l");
  await page.locator(".boards .cuttable").first().waitFor();
  await page.locator("#setup-kind").selectOption("Strings and coins");
  await page.getByRole("button", { name: "New point" }).click();
  await page.getByRole("button", { name: "New point" }).click();
  await use();
  await page.waitForFunction(() => document.querySelector("#position").value === "coins:a-0,a-b");
  await page.locator("#setup-kind").selectOption("Heaps");
  await page.getByRole("button", { name: "Add a token to heap 1" }).click();
  await use();
  await page.waitForFunction(() => document.querySelector("#position").value === "nim:4 + nim:4 + nim:5");
  await page.locator("#setup-kind").selectOption("Christmas lights");
  await page.getByRole("button", { name: /^bulb 1/ }).click();
  await page.getByRole("button", { name: "Add to the sum" }).click();
  await page.waitForFunction(() => document.querySelector("#position").value.endsWith(" + lights:sbsbb"));
  assert.equal(await page.getByRole("alert").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("rules of one's own are played, travel with the link, and errors name their place", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:1", { with: "person" }));
  await settled(page);
  await page.getByText("Your own rules").click();
  for (const title of ["Take a square number", "Move again after an even heap", "A token on a circle"]) {
    await page.getByRole("button", { name: title }).click();
    await page.getByRole("button", { name: "Play these rules" }).click();
    await page.waitForFunction(() => document.querySelector("#position").value === document.querySelector("#script-position").value && !document.querySelector("#view.waiting"));
    assert.equal(await page.getByRole("alert").count(), 0, title);
    await page.locator(".boards .listed button").first().waitFor();
  }
  const other = await context.newPage();
  await other.goto(page.url());
  await other.locator(".boards .listed button").first().waitFor();
  assert.match(await other.locator("#script-source").inputValue(), /A token on 8 places/);
  await page.getByLabel("Rules", { exact: true }).fill("fn options(p) { [p - }");
  await page.getByRole("button", { name: "Play these rules" }).click();
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /rhai:1:22/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("boards leave as SVG, PNG and LaTeX, and as a frame without anything else", async () => {
  const { page, context, faults } = await open(chrome, server.address, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(game(server.address, "nimstring:2x2/100000/000000 + nim:3", { with: "person" }));
  await settled(page);
  await page.getByText("Share and export").click();
  const saved = async (name) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
    return readFileSync(await file.path());
  };
  const svg = String(await saved("SVG"));
  assert.match(svg, /^<svg/);
  assert.ok((svg.match(/<circle/g) ?? []).length >= 12 && !svg.includes("class="), "the picture stands by itself");
  assert.equal((await saved("PNG")).subarray(1, 4).toString(), "PNG");
  const latex = String(await saved("LaTeX"));
  // Twelve lines and nine dots of the grid, and three tokens.
  const drawn = (shape) => latex.split("\n").filter((line) => line.startsWith("  \\path") && line.includes(shape)).length;
  assert.deepEqual([drawn(" -- "), drawn(" circle[")], [12, 12]);
  assert.match(latex, /^% nimstring:2x2\/100000\/000000\n% nim:3\n/);
  await page.getByRole("button", { name: "Copy frame for slides" }).click();
  await page.getByText("Copied.").waitFor();
  const frame = await page.evaluate(() => navigator.clipboard.readText());
  const address = /src="([^"]+)"/.exec(frame)[1].replaceAll("&amp;", "&");
  const slide = await context.newPage();
  await slide.goto(address);
  await slide.locator(".boards .target").first().waitFor();
  for (const hidden of [".top", "#new-title", ".share"]) assert.equal(await slide.locator(hidden).isVisible(), false, hidden);
  assert.deepEqual(faults, []);
  await context.close();
});

test("values of kinds that the page does not know are shown by their text", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.route("**/api/moves", async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const value = { kind: "control", term: "[0/1, >0]", text: "[0/1, >0]", win: { only: [1] }, loss: { only: [] }, draw: { only: [0] } };
    answer.value = value;
    for (const component of answer.components) component.value = value;
    await route.fulfill({ response, json: answer });
  });
  await page.goto(game(server.address, "nim:2", { values: "1", with: "person" }));
  await settled(page);
  assert.equal(await page.locator(".component .value").first().textContent(), "[0/1, >0]");
  assert.match(await page.locator(".component .value").first().getAttribute("aria-label"), /wins beside \{1\}/);
  assert.deepEqual(faults, []);
  await context.close();
});
