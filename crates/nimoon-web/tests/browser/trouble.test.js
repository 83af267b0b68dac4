// What comes late, twice or not at all: quick clicks, slow answers, a program that has ended, addresses and files of nonsense.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chrome, game, open, seriousFaults, server, startForAll } from "./program.js";

startForAll();

const history = (page) => page.locator(".history li").allTextContents();
const played = (page, count) => page.waitForFunction((count) => document.querySelectorAll(".history li").length === count && !document.querySelector("#view.waiting"), count);
const settled = (page) => page.waitForFunction(() => /^(You|Player|A draw|The engine wins)/.test(document.querySelector(".headline")?.textContent ?? "") && !document.querySelector("#view.waiting"));
const take = (page, count, of) => page.locator(`.target[aria-label='take ${count} of ${of}']`);

/** Holds back the answers to a question until they are let go. */
async function hold(page, path) {
  let letGo;
  const gate = new Promise((resolve) => { letGo = resolve; });
  await page.route(`**/api/${path}`, async (route) => { await gate; await route.continue().catch(() => {}); });
  return async () => { letGo(); await page.unroute(`**/api/${path}`); };
}

/** No question is answered, as when the program has ended. */
async function end(page) {
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  return () => page.unroute("**/api/**");
}

test("of two quick clicks the first counts", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:5 + nim:7", { with: "person" }));
  await settled(page);
  const letGo = await hold(page, "moves");
  await take(page, 2, 5).click();
  await take(page, 3, 7).click();
  await page.locator("#view table button.link").first().click();
  await letGo();
  await played(page, 1);
  assert.deepEqual(await history(page), ["Player 1: take 2 of 5"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a double click is one move, also where the next one stands at the same place", async () => {
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

test("moves are taken back and made again within a turn that goes on", async () => {
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

test("where the engine began there is nothing of its own to take back", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3 + nim:6", { first: "engine" }));
  await played(page, 1);
  assert.ok(await page.getByRole("button", { name: "Undo" }).isDisabled());
  assert.match(await page.locator(".latest").textContent(), /^The engine: take 3 of 6\.$/);
  await context.close();
});

test("an answer that comes late does not replace what was asked for since", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:5", { with: "person" }));
  await settled(page);
  const letGo = await hold(page, "moves");
  await page.getByLabel("Any sum of positions").fill("nim:9");
  await page.getByRole("button", { name: "Play this" }).click();
  await page.getByLabel("Any sum of positions").fill("nim:8");
  await page.getByRole("button", { name: "Play this" }).click();
  await letGo();
  await page.waitForFunction(() => document.querySelector(".boards .size")?.textContent === "8");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".boards .size")?.textContent === "9");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".boards .size")?.textContent === "5");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a question about which move is meant goes away with its position", async () => {
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

test("when the program has ended the page says so, and goes on when it is back", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:5 + nim:7"));
  await settled(page);
  const back = await end(page);
  await take(page, 2, 7).click();
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /The program does not answer: is nimoon still running\?/);
  assert.deepEqual(await page.locator(".boards .size").allTextContents(), ["5", "7"]);
  await back();
  await page.getByRole("button", { name: "Try again" }).click();
  await played(page, 2);
  assert.equal((await history(page))[0], "You: take 2 of 7");
  assert.equal(await page.getByRole("alert").count(), 0);
  // The engine's own move may be what fails.
  const again = await hold(page, "engine");
  await page.locator(".boards .target").first().click();
  await page.waitForFunction(() => /^The engine is to move/.test(document.querySelector(".headline").textContent));
  await page.route("**/api/engine", (route) => route.abort("connectionrefused"));
  await page.keyboard.press("u");
  await played(page, 2);
  await again();
  await context.close();
});

test("every view tells that the program has ended", async () => {
  const { page, context } = await open(chrome, server.address);
  for (const view of ["digraphs", "loopy", "tables"]) {
    await page.goto(`${server.address}/#/${view}`);
    await page.waitForFunction(() => document.querySelector("#view section") && !document.querySelector("#view.waiting"));
    const back = await end(page);
    if (view === "digraphs") await page.getByLabel("Theory").selectOption("general");
    if (view === "loopy") await page.getByLabel("Game", { exact: true }).fill("tis + 7");
    if (view === "tables") { await page.getByLabel("up to").fill("37"); await page.getByRole("button", { name: "Show", exact: true }).click(); }
    await page.getByText(/the program does not answer/i).first().waitFor();
    await back();
    await page.goto("about:blank");
  }
  const back = await end(page);
  await page.goto(`${server.address}/#/about`);
  await page.locator("#view section").first().waitFor();
  await page.getByText(/the program does not answer/i).first().waitFor();
  await back();
  await context.close();
});

test("after a text that is no position the game before it is played on", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3 + nim:5", { with: "person" }));
  await settled(page);
  await page.getByLabel("Any sum of positions").fill("nim:3 + nym:4");
  await page.getByRole("button", { name: "Play this" }).click();
  await page.getByRole("alert").waitFor();
  assert.equal(await page.getByLabel("Any sum of positions").inputValue(), "nim:3 + nym:4", "what was typed can be mended");
  await take(page, 2, 5).click();
  await played(page, 1);
  assert.equal(await page.getByRole("alert").count(), 0);
  assert.match(page.url(), /p=nim%3A3\+%2B\+nim%3A5&m=/);
  await context.close();
});

test("an address of nonsense is told, and leaves nothing to break", async () => {
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

test("a file that is no game is refused by its name, and the game stays", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(game(server.address, "nim:3"));
  await settled(page);
  for (const text of ["null", "[1, 2]", "{}", '{"start": 3, "moves": []}', '{"start": "nim:3", "moves": [-1]}', '{"start": "nim:3", "moves": ["x"]}']) {
    await page.locator("input[type=file]").setInputFiles({ name: "odd.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await page.getByRole("alert").filter({ hasText: "The file odd.json is no game" }).waitFor();
    await page.getByLabel("Show values").click();
    assert.equal(await page.locator(".boards .target").count(), 3, text);
  }
  await page.locator("input[type=file]").setInputFiles({ name: "noise.txt", mimeType: "text/plain", buffer: Buffer.from([0, 255, 254, 10, 13, 0, 7]) });
  await page.getByRole("alert").filter({ hasNotText: "odd.json" }).waitFor();
  assert.equal(await page.locator(".boards .target").count(), 3);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the link to the content does not leave the view", async () => {
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

test("who looks at another view finds the game as it was", async () => {
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

test("the keyboard stays where it was when the board changes", async () => {
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
  assert.ok(await page.evaluate(() => document.activeElement?.matches(".boards .target")), "the engine's answer does not take it away");
  await context.close();
});

test("an explanation that was opened stays open while a hint is given", async () => {
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

test("long boards are scrolled on a phone, and what is to be done stays in sight", async () => {
  const { page, context, faults } = await open(chrome, server.address, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await page.goto(game(server.address, "lights:40b + slide[-2,-3;15]:12 + kayles:20 + top-entails:12 + nim:9", { with: "person" }));
  await settled(page);
  const small = await page.locator(".boards .target").evaluateAll((targets) => targets.map((target) => target.querySelector(".spot")?.getBoundingClientRect()).filter((box) => box && (box.width < 16 || box.height < 24)).length);
  assert.equal(small, 0, "places too small for a finger");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.locator(".component").last().locator(".target").first().tap();
  await played(page, 1);
  const standing = await page.locator(".headline").boundingBox();
  assert.ok(standing && standing.y >= 0 && standing.y < 640, "the headline is seen");
  assert.deepEqual(await seriousFaults(page), []);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a hint is brought into sight", async () => {
  const { page, context } = await open(chrome, server.address, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await page.goto(game(server.address, "green-lime:gg + green-lime:gl + nimstring:2x2 + lights:1b1s1b + nim:9"));
  await settled(page);
  await page.evaluate(() => scrollTo(0, 0));
  await page.keyboard.press("h");
  const box = await page.locator(".boards .hinted").first().boundingBox();
  assert.ok(box && box.y >= 0 && box.y + box.height <= 640, JSON.stringify(box));
  await context.close();
});

test("the address is copied, and the button says so", async () => {
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

test("a token far out on a long row is drawn with the squares about it", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(game(server.address, "slide[-2,-3;100000]:50000", { with: "person" }));
  await settled(page);
  assert.equal(await page.locator(".boards .token").count(), 1);
  await page.locator(".target[aria-label$=', to 49998']").click();
  await played(page, 1);
  await context.close();
});

test("values on neighbouring places can be told apart", async () => {
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

test("who has scrolled along a board stays there, and a row of squares needs no scrolling on a phone", async () => {
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

test("after a family that is not there no values of another are shown", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/tables?p=kayles&to=50`);
  await page.locator(".period").waitFor();
  await page.getByText("The visible values as a table").click();
  await page.getByLabel("Ruleset, or positions with {} for n").fill("kaylez");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /^There is no ruleset `kaylez`; did you mean `kayles`\? \(column 1\)$/);
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

test("the guide of the bartender's problem leaves with the engine, and speaks of no other position", async () => {
  const { page, context } = await open(chrome, server.address);
  await page.goto(server.address);
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

test("nothing that is long makes a phone's page wider", async () => {
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
  await fits("a refused position");
  await page.goto(`${server.address}/#/loopy?g=${"x".repeat(400)}`);
  await page.locator("#view .notice").first().waitFor();
  await fits("a refused game");
  await page.goto(`${server.address}/#/tables?p=${"x".repeat(400)}`);
  await page.getByRole("alert").waitFor();
  await fits("a refused family");
  await context.close();
});
