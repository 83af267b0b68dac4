// Robustness: quick clicks, slow answers, a stopped program, and malformed addresses and files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chrome, game, open, seriousFaults, server, startForAll } from "./program.js";

startForAll();

const history = (page) => page.locator(".history li").allTextContents();
const played = (page, count) => page.waitForFunction((count) => document.querySelectorAll(".history li").length === count && !document.querySelector("#view.waiting"), count);
const settled = (page) => page.waitForFunction(() => /^(You|Player|A draw|The engine wins)/.test(document.querySelector(".headline")?.textContent ?? "") && !document.querySelector("#view.waiting"));
const take = (page, count, of) => page.locator(`.target[aria-label='take ${count} of ${of}']`);

/** Delays the answers to a request until the returned function is called. */
async function hold(page, path) {
  let release;
  const gate = new Promise((resolve) => { release = resolve; });
  await page.route(`**/api/${path}`, async (route) => { await gate; await route.continue().catch(() => {}); });
  return async () => { release(); await page.unroute(`**/api/${path}`); };
}

/** Makes all requests fail, as if the program had stopped. */
async function disconnect(page) {
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  return () => page.unroute("**/api/**");
}

test("only the first of two quick clicks makes a move", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:5 + nim:7", { with: "person" }));
  await settled(page);
  const release = await hold(page, "moves");
  await take(page, 2, 5).click();
  await take(page, 3, 7).click();
  await page.locator("#view table button.link").first().click();
  await release();
  await played(page, 1);
  assert.deepEqual(await history(page), ["Player 1: take 2 of 5"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a double click makes one move even if the next move has the same target", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "lights:3b", { with: "person" }));
  await settled(page);
  await page.locator(".boards .target").first().dblclick();
  await played(page, 1);
  await page.goto(game(server.address, "nim:9", { with: "person" }));
  await settled(page);
  await page.locator(".boards .target").nth(3).dblclick();
  await page.waitForTimeout(200);
  await played(page, 1);
  await context.close();
});

test("undo and redo work within a turn of several moves", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "lights:1b1s1b1s1b + nim:2"));
  await settled(page);
  await page.locator(".target[aria-label='remove socket 1']").click();
  await played(page, 1);
  assert.match(await page.locator(".headline").textContent(), /^You must move again/);
  await page.locator(".target[aria-label='remove socket 1']").click();
  await played(page, 2);
  const two = await history(page);
  for (const left of [1, 0]) {
    await page.keyboard.press("u");
    await played(page, left);
  }
  assert.match(await page.locator(".headline").textContent(), /^You are to move/);
  assert.ok(await page.getByRole("button", { name: "Undo" }).isDisabled());
  await page.keyboard.press("r");
  await page.keyboard.press("r");
  await played(page, 2);
  assert.deepEqual(await history(page), two);
  assert.match(await page.locator(".headline").textContent(), /^You must move again/);
  assert.ok(await page.getByRole("button", { name: "Redo" }).isDisabled());
  await context.close();
});

test("the first move of the engine cannot be undone", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3 + nim:6", { first: "engine" }));
  await played(page, 1);
  assert.ok(await page.getByRole("button", { name: "Undo" }).isDisabled());
  assert.match(await page.locator(".latest").textContent(), /^The engine: take 3 of 6\.$/);
  await context.close();
});

test("a late answer does not replace the answer to a newer request", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:5", { with: "person" }));
  await settled(page);
  const release = await hold(page, "moves");
  await page.getByLabel("Any sum of positions").fill("nim:9");
  await page.getByRole("button", { name: "Play this" }).click();
  await page.getByLabel("Any sum of positions").fill("nim:8");
  await page.getByRole("button", { name: "Play this" }).click();
  await release();
  await page.waitForFunction(() => document.querySelector(".boards .size")?.textContent === "8");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".boards .size")?.textContent === "9");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".boards .size")?.textContent === "5");
  assert.deepEqual(faults, []);
  await context.close();
});

test("the dialog that asks for a move closes when its position disappears", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "kayles:6", { with: "person" }));
  await settled(page);
  await page.getByLabel("Any sum of positions").fill("kayles:7");
  await page.getByRole("button", { name: "Play this" }).click();
  await page.waitForFunction(() => document.querySelector(".boards .size")?.textContent === "7");
  await page.locator(".boards .target").nth(1).click();
  await page.locator("dialog.choices").waitFor();
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".boards .size")?.textContent === "6" && !document.querySelector("dialog"));
  await context.close();
});

test("the page reports that the program stopped, and continues when it is back", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:5 + nim:7"));
  await settled(page);
  const back = await disconnect(page);
  await take(page, 2, 7).click();
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /Cannot reach the program: is nimoon still running\?/);
  assert.deepEqual(await page.locator(".boards .size").allTextContents(), ["5", "7"]);
  await back();
  await page.getByRole("button", { name: "Try again" }).click();
  await played(page, 2);
  assert.equal((await history(page))[0], "You: take 2 of 7");
  assert.equal(await page.getByRole("alert").count(), 0);
  // The request for a move of the engine may fail too.
  const again = await hold(page, "engine");
  await page.locator(".boards .target").first().click();
  await page.waitForFunction(() => /^The engine is to move/.test(document.querySelector(".headline").textContent));
  await page.route("**/api/engine", (route) => route.abort("connectionrefused"));
  await page.keyboard.press("u");
  await played(page, 2);
  await again();
  await context.close();
});

test("every view reports that the program stopped", async () => {
  const { page, context } = await open(chrome, server.address);
  for (const view of ["digraphs", "loopy", "tables"]) {
    await page.goto(`${server.address}/#/${view}`);
    await page.waitForFunction(() => document.querySelector("#view section") && !document.querySelector("#view.waiting"));
    const back = await disconnect(page);
    if (view === "digraphs") await page.getByLabel("Theory").selectOption("general");
    if (view === "loopy") await page.getByLabel("Game", { exact: true }).fill("tis + 7");
    if (view === "tables") { await page.getByLabel("up to").fill("37"); await page.getByRole("button", { name: "Show", exact: true }).click(); }
    await page.getByText(/cannot reach the program/i).first().waitFor();
    await back();
    await page.goto("about:blank");
  }
  const back = await disconnect(page);
  await page.goto(`${server.address}/#/about`);
  await page.locator("#view section").first().waitFor();
  await page.getByText(/cannot reach the program/i).first().waitFor();
  await back();
  await context.close();
});

test("the previous game continues after an invalid position", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3 + nim:5", { with: "person" }));
  await settled(page);
  await page.getByLabel("Any sum of positions").fill("nim:3 + nym:4");
  await page.getByRole("button", { name: "Play this" }).click();
  await page.getByRole("alert").waitFor();
  assert.equal(await page.getByLabel("Any sum of positions").inputValue(), "nim:3 + nym:4", "the user can correct the text");
  await take(page, 2, 5).click();
  await played(page, 1);
  assert.equal(await page.getByRole("alert").count(), 0);
  assert.match(page.url(), /p=nim%3A3\+%2B\+nim%3A5&m=/);
  await context.close();
});

test("a malformed address gives an error and does not break the page", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  for (const query of ["p=", "p=nonsense", "p=%00%FF", "p=nim:3&m=99", "p=nim:3&m=99999999999999999999999.x.-1", "p=nim:3&skill=-7&with=nobody&first=last", "p=nim:3&m=0.0.0.0", `p=${"(".repeat(5000)}`]) {
    await page.goto("about:blank");
    await page.goto(`${server.address}/#/play?${query}`);
    await page.waitForFunction(() => !document.querySelector("#view.waiting") && (document.querySelector("[role=alert]") || document.querySelector(".boards *")));
    for (const key of ["u", "r", "h", "v"]) await page.keyboard.press(key);
  }
  await page.goto(game(server.address, "nim:3", { m: "99" }));
  await page.getByRole("button", { name: "Play it from the start" }).click();
  await settled(page);
  assert.equal(await page.locator(".boards .target").count(), 3);
  for (const view of ["digraphs?d=%%%&p=9&n=x&r=99999999", "digraphs?x=none&t=none", "loopy?g=%7B%7B&h=%22&graph=none", "tables?p=nonsense&to=-1&w=0&x=9-1", "tables?p=kayles&from=9&to=3&n=77777&w=9999&x=99999-1", "nowhere?p=nim:1"]) {
    await page.goto("about:blank");
    await page.goto(`${server.address}/#/${view}`);
    await page.waitForFunction(() => document.querySelector("#view section") && !document.querySelector("#view.waiting"));
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test("an invalid file is rejected by name, and the game stays", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3"));
  await settled(page);
  for (const text of ["null", "[1, 2]", "{}", '{"start": 3, "moves": []}', '{"start": "nim:3", "moves": [-1]}', '{"start": "nim:3", "moves": ["x"]}']) {
    await page.locator("input[type=file]").setInputFiles({ name: "odd.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await page.getByRole("alert").filter({ hasText: "The file odd.json is not a game" }).waitFor();
    await page.getByLabel("Show values").click();
    assert.equal(await page.locator(".boards .target").count(), 3, text);
  }
  await page.locator("input[type=file]").setInputFiles({ name: "noise.txt", mimeType: "text/plain", buffer: Buffer.from([0, 255, 254, 10, 13, 0, 7]) });
  await page.getByRole("alert").filter({ hasNotText: "odd.json" }).waitFor();
  assert.equal(await page.locator(".boards .target").count(), 3);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the skip link does not leave the view", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3 + nim:6"));
  await settled(page);
  const address = page.url();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(page.url(), address);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "view");
  assert.deepEqual(await page.locator(".boards .size").allTextContents(), ["3", "6"]);
  await context.close();
});

test("a user who comes back from another view finds the same game", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3 + nim:6", { with: "person" }));
  await settled(page);
  await take(page, 1, 6).click();
  await played(page, 1);
  await page.getByRole("link", { name: "Tables" }).click();
  await page.locator(".table-facts dd").first().waitFor();
  await page.getByRole("link", { name: "Play", exact: true }).click();
  await played(page, 1);
  assert.deepEqual(await page.locator(".boards .size").allTextContents(), ["3", "5"]);
  await context.close();
});

test("the focus stays in place when the board changes", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3 + nim:6"));
  await settled(page);
  await page.locator(".component").nth(1).locator(".target").first().focus();
  await page.keyboard.press("v");
  const component = () => page.evaluate(() => [...document.querySelectorAll(".component")].findIndex((component) => component.contains(document.activeElement)));
  assert.equal(await component(), 1);
  await page.keyboard.press("h");
  await page.waitForFunction(() => document.activeElement?.matches(".target.hinted"));
  assert.match(await page.locator(".latest").textContent(), /^Hint: take 3 of 6, in component 1\. It wins\.$/);
  await page.keyboard.press("Enter");
  await played(page, 2);
  assert.ok(await page.evaluate(() => document.activeElement?.matches(".boards .target")), "the answer of the engine does not move the focus");
  await context.close();
});

test("an open explanation stays open after a hint", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3 + kayles:4"));
  await settled(page);
  await page.getByText("Explain this position").click();
  await page.locator(".explanation details summary").first().click();
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  await page.locator(".boards .target.hinted").first().waitFor();
  assert.ok(await page.locator(".explanation details").first().evaluate((details) => details.open));
  await context.close();
});

test("long boards scroll on a phone, and the headline stays visible", async () => {
  const { page, context, faults } = await open(chrome, server.address, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await page.goto(game(server.address, "lights:40b + slide[-2,-3;15]:12 + kayles:20 + top-entails:12 + nim:9", { with: "person" }));
  await settled(page);
  const small = await page.locator(".boards .target").evaluateAll((targets) => targets.map((target) => target.querySelector(".spot")?.getBoundingClientRect()).filter((box) => box && (box.width < 16 || box.height < 24)).length);
  assert.equal(small, 0, "targets too small for a finger");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.locator(".component").last().locator(".target").first().tap();
  await played(page, 1);
  const standing = await page.locator(".headline").boundingBox();
  assert.ok(standing && standing.y >= 0 && standing.y < 640, "the headline is visible");
  assert.deepEqual(await seriousFaults(page), []);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a hint scrolls into view", async () => {
  const { page, context } = await open(chrome, server.address, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await page.goto(game(server.address, "green-lime:gg + green-lime:gl + nimstring:2x2 + lights:1b1s1b + nim:9"));
  await settled(page);
  await page.evaluate(() => scrollTo(0, 0));
  await page.keyboard.press("h");
  const box = await page.locator(".boards .hinted").first().boundingBox();
  assert.ok(box && box.y >= 0 && box.y + box.height <= 640, JSON.stringify(box));
  await context.close();
});

test("the button copies the address and confirms it", async () => {
  const { page, context } = await open(chrome, server.address, { permissions: ["clipboard-read", "clipboard-write"] });
  for (const view of [`#/play?p=nim%3A3`, "#/loopy?g=upon"]) {
    await page.goto("about:blank");
    await page.goto(`${server.address}/${view}`);
    await page.getByRole("button", { name: "Copy address" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
  }
  await context.close();
});

test("a token on a long row is drawn with the squares near it", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "slide[-2,-3;100000]:50000", { with: "person" }));
  await settled(page);
  assert.equal(await page.locator(".boards .token").count(), 1);
  await page.locator(".target[aria-label$=', to 49998']").click();
  await played(page, 1);
  await context.close();
});

test("values on a board do not overlap", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "green-lime:0-1g,1-2l,1-3g,2-3g + kayles:5 + lights:2b1s2b + slide[-1,-2,-3;9]:7 + top-entails:6 + nim:4", { values: "1" }));
  await settled(page);
  const overlaps = await page.locator(".component").evaluateAll((components) => components.flatMap((component) => {
    const boxes = [...component.querySelectorAll(".badge rect")].map((badge) => badge.getBoundingClientRect());
    return boxes.flatMap((one, i) => boxes.slice(i + 1).filter((other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 4 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4).map(() => component.getAttribute("aria-label")));
  }));
  assert.deepEqual(overlaps, []);
  await context.close();
});

test("a board keeps its scroll position, and a row of squares fits a phone", async () => {
  const { page, context } = await open(chrome, server.address, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await page.goto(game(server.address, "lights:40b + slide[-2,-3;30]:12", { with: "person" }));
  await settled(page);
  const component = page.locator(".component").first();
  await component.evaluate((component) => { component.scrollLeft = 300; });
  await page.locator(".target[aria-label='take bulb 12']").tap();
  await played(page, 1);
  assert.equal(await component.evaluate((component) => component.scrollLeft > 0), true);
  assert.ok(await page.locator(".component").nth(1).evaluate((component) => component.scrollWidth <= component.clientWidth));
  await context.close();
});

test("after an unknown ruleset no values of another family are visible", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/tables?p=kayles&to=50`);
  await page.locator(".period").waitFor();
  await page.getByText("The visible values as a table").click();
  await page.getByLabel("Ruleset, or pattern with {} for n").fill("kaylez");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /^Unknown ruleset `kaylez`; did you mean `kayles`\? \(column 1\)$/);
  assert.equal(await page.locator(".table-facts").textContent(), "–");
  assert.equal(await page.locator(".table-readout").textContent(), "");
  for (const name of ["Zoom in", "Zoom out", "Fit"]) await page.getByRole("button", { name }).first().click();
  for (const key of ["ArrowRight", "End", "+"]) await page.locator(".chart-pane").press(key);
  for (const name of ["CSV", "Chart as SVG"]) await page.getByRole("button", { name }).click();
  await page.getByLabel("Family", { exact: true }).selectOption("kayles");
  await page.locator(".period").waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test("the guide appears only for the bartender's problem against the engine", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/play`);
  await settled(page);
  assert.equal(await page.locator(".guide").count(), 1);
  await page.getByLabel("You play against").selectOption("person");
  await page.waitForFunction(() => /^Player 1/.test(document.querySelector(".headline").textContent));
  assert.equal(await page.locator(".guide").count(), 0);
  for (const options of [{ guided: "1" }, { guided: "1", with: "person" }]) {
    await page.goto("about:blank");
    await page.goto(game(server.address, "nim:3", options));
    await settled(page);
    assert.equal(await page.locator(".guide").count(), 0);
  }
  await context.close();
});

test("long texts do not make the page wider than a phone", async () => {
  const { page, context } = await open(chrome, server.address, { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true });
  const fits = async (what) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), what);
  const edges = Array.from({ length: 9 }, (_, i) => `${i}-${i + 1}g`).join(",");
  await page.goto(game(server.address, `green-lime:${edges} + nim:3`, { values: "1", with: "person" }));
  await settled(page);
  await page.getByText("Explain this position").click();
  await page.locator(".explanation details summary").first().click();
  await fits("an explanation");
  await page.goto(game(server.address, "x".repeat(400)));
  await page.getByRole("alert").waitFor();
  await fits("an invalid position");
  await page.goto(`${server.address}/#/loopy?g=${"x".repeat(400)}`);
  await page.locator("#view .notice").first().waitFor();
  await fits("an invalid game");
  await page.goto(`${server.address}/#/tables?p=${"x".repeat(400)}`);
  await page.getByRole("alert").waitFor();
  await fits("an invalid family");
  await context.close();
});
