// The view Tables: charts, colour maps, periods and moons.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { chrome, open, seriousFaults, server, startForAll } from "./program.js";

startForAll();

const KAYLES = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7];
const EXCEPTIONS = [0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70];

async function settled(page) {
  await page.locator(".chart-pane").waitFor();
  await page.waitForFunction(() => !document.querySelector("#view.waiting"));
  // The canvases are drawn in the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

async function show(page, parameters) {
  await page.goto("about:blank");
  await page.goto(`${server.address}/#/tables?${new URLSearchParams(parameters)}`);
  await settled(page);
}

async function jump(page, n) {
  await page.locator("#jump").fill(String(n));
  await page.getByRole("button", { name: "Go", exact: true }).click();
}

/** Returns the chosen n and its value. */
async function readout(page) {
  await page.mouse.move(0, 0);
  return [Number(await page.locator(".table-readout .n").textContent()), await page.locator(".table-readout .value").textContent()];
}

const words = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.querySelector(".chart-pane").getAttribute("aria-valuetext"))))));

/** Returns the visible range of the chart from the address. */
async function seen(page) {
  await page.waitForTimeout(400);
  const range = new URL(page.url().replace("#/tables", "")).searchParams.get("x");
  return range ? range.split("-").map(Number) : null;
}

test("kayles has the correct values, period and exceptions", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/tables`);
  await settled(page);
  assert.match(await page.locator(".period").textContent(), /^Period 12 from 71 on; proved for all n; 14 exceptional values\.$/);
  assert.deepEqual(await page.locator(".exceptions button").allTextContents(), EXCEPTIONS.map(String));
  for (const n of [0, 5, 11, 15, 23]) {
    await jump(page, n);
    assert.deepEqual(await readout(page), [n, String(KAYLES[n])]);
  }
  await page.locator(".exceptions button", { hasText: "70" }).click();
  assert.deepEqual(await readout(page), [70, "6"]);
  assert.match(await words(page), /^n 70: nimber 6, exceptional$/);
  // The width of the map is a multiple of the period, and the user can return to such a width.
  assert.equal(Number(await page.locator("#map-width").inputValue()) % 12, 0);
  await page.locator("#map-width-number").fill("40");
  await page.locator("#map-width-number").press("Enter");
  await page.getByRole("button", { name: "Snap to the period" }).click();
  assert.equal(await page.locator("#map-width").inputValue(), "36");
  assert.deepEqual(faults, []);
  await context.close();
});

test("top entails lists its moons", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await show(page, { p: "top-entails", to: "2600" });
  assert.deepEqual(await page.locator(".moons button").allTextContents(), ["1", "3", "2403", "2505"]);
  assert.deepEqual(await readout(page), [2505, "☾"]);
  await page.locator(".moons button", { hasText: "2403" }).click();
  assert.deepEqual(await readout(page), [2403, "☾"]);
  assert.equal(await words(page), "n 2403: moon");
  await jump(page, 4);
  assert.deepEqual(await readout(page), [4, "1"]);
  // The table in words shows the rows around a moon.
  await show(page, { p: "top-entails", to: "2600", x: "2400-2410", n: "2403" });
  await page.getByText("The visible values as a table").click();
  await page.locator("details tbody tr").first().waitFor();
  const rows = await page.locator("details tbody tr").allTextContents();
  assert.equal(rows.length, 11);
  assert.match(rows[3], /^2403☾moon$/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the mouse reads, zooms and scrolls the chart", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await show(page, { p: "kayles", to: "400", x: "0-20" });
  const box = await page.locator(".chart-pane").boundingBox();
  // There are 21 values between margins of 46 pixels on the left and 22 on the right.
  const place = (n) => box.x + 46 + ((n + 0.5) * (box.width - 68)) / 21;
  for (const n of [0, 7, 15, 20]) {
    await page.mouse.move(place(n), box.y + 100);
    assert.equal(await page.locator(".table-readout .n").textContent(), String(n));
    assert.equal(await page.locator(".table-readout .value").textContent(), String(KAYLES[n]));
  }
  await page.mouse.click(place(11), box.y + 100);
  assert.deepEqual(await readout(page), [11, "6"]);
  assert.deepEqual(await seen(page), [0, 20]);
  await page.mouse.move(place(11), box.y + 100);
  await page.mouse.wheel(0, 240);
  const wider = await seen(page);
  assert.ok(wider[1] > 25, `${wider}`);
  await page.mouse.move(box.x + 300, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 100, box.y + 100, { steps: 4 });
  await page.mouse.up();
  const moved = await seen(page);
  assert.ok(moved[0] > 3 && Math.abs(moved[1] - moved[0] - (wider[1] - wider[0])) <= 1, `${wider} to ${moved}`);
  assert.deepEqual(await readout(page), [11, "6"], "a drag does not choose an n");
  await page.getByRole("button", { name: "Fit" }).first().click();
  assert.equal(await seen(page), null);
  await page.getByRole("button", { name: "Zoom in" }).first().click();
  const closer = await seen(page);
  assert.ok(closer[1] - closer[0] < 300, `${closer}`);
  assert.deepEqual(faults, []);
  await context.close();
});

test("taps and pinches work on the chart of a phone", async () => {
  const { page, context, faults } = await open(chrome, server.address, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await show(page, { p: "kayles", to: "400", x: "0-20" });
  await page.locator(".chart-pane").scrollIntoViewIfNeeded();
  const box = await page.locator(".chart-pane").boundingBox();
  await page.touchscreen.tap(box.x + 46 + (11.5 * (box.width - 68)) / 21, box.y + 100);
  assert.equal(await page.locator(".table-readout .n").textContent(), "11");
  assert.equal(await page.locator(".table-readout .value").textContent(), "6");
  const touch = await context.newCDPSession(page);
  const fingers = (apart) => [-apart, apart].map((dx, id) => ({ x: box.x + 200 + dx, y: box.y + 100, id }));
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(100) });
  for (const apart of [80, 60, 40, 25]) await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(apart) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  const [first, last] = await seen(page);
  assert.ok(first === 0 && last > 30 && last < 200, `${first} ${last}`);
  assert.equal(await page.locator(".table-readout .n").textContent(), "11");
  assert.deepEqual(faults, []);
  await context.close();
});

test("the colour map shows the same values and has the same colours in each period", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await show(page, { p: "kayles", to: "119", w: "12" });
  const box = await page.locator(".map-pane").boundingBox();
  // Ten rows of twelve cells start at (52, 22). Their side is 28 pixels unless the height limits it.
  const side = Math.min(28, (360 - 22 - 10) / 10);
  const place = (n) => [box.x + 52 + ((n % 12) + 0.5) * side, box.y + 22 + (Math.floor(n / 12) + 0.5) * side];
  for (const n of [0, 5, 15, 23]) {
    await page.mouse.click(...place(n));
    assert.deepEqual(await readout(page), [n, String(KAYLES[n])]);
  }
  // After the preperiod, from row 6 on, all cells of a column have the same colour.
  const colours = await page.evaluate(([side]) => {
    const canvas = document.querySelector(".map-pane");
    const context = canvas.getContext("2d");
    const at = (row, column) => [...context.getImageData(Math.round((52 + (column + 0.2) * side) * devicePixelRatio), Math.round((22 + (row + 0.2) * side) * devicePixelRatio), 1, 1).data].join();
    return [6, 7, 8, 9].map((row) => Array.from({ length: 12 }, (_, column) => at(row, column)));
  }, [side]);
  assert.deepEqual(colours[1], colours[0]);
  assert.deepEqual(colours[3], colours[0]);
  assert.ok(new Set(colours[0]).size >= 4);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the keyboard alone can use the view, and screen readers get the values", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/tables`);
  await settled(page);
  await page.locator("#pattern").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("subtraction[1,3,4]");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /^Period 7/.test(document.querySelector(".period")?.textContent));
  assert.match(await page.locator("#status").textContent(), /401 values\. Period 7 from 0 on; proved for all n/);
  for (let i = 0; i < 20 && !(await page.evaluate(() => document.activeElement.classList.contains("chart-pane"))); i += 1) await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await words(page), "n 3: nimber 1");
  await page.keyboard.press("PageDown");
  assert.equal((await words(page)).split(":")[0], "n 103");
  await page.keyboard.press("End");
  assert.equal((await words(page)).split(":")[0], "n 400");
  await page.keyboard.press("ArrowRight");
  assert.equal((await words(page)).split(":")[0], "n 400");
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  const [first, last] = await seen(page);
  assert.ok(first > 100 && last === 400, `${first} ${last}`);
  await page.keyboard.press("0");
  assert.equal(await seen(page), null);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the address stores the family, n, the visible range and the width", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await show(page, { p: "kayles", to: "300" });
  await jump(page, 57);
  await page.locator("#map-width").fill("24");
  await page.getByRole("button", { name: "Zoom in" }).first().click();
  const range = await seen(page);
  const url = page.url();
  assert.match(url, /p=kayles&to=300&n=57&w=24&x=\d+-\d+$/);
  await page.goto("about:blank");
  await page.goto(url);
  await settled(page);
  assert.deepEqual(await readout(page), [57, "4"]);
  assert.equal(await page.locator("#map-width").inputValue(), "24");
  await page.locator("#jump").fill("57");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  assert.deepEqual(await seen(page), range);
  assert.deepEqual(faults, []);
  await context.close();
});

async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test("exports contain all values and valid pictures", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await show(page, { p: "kayles", to: "100" });
  const csv = await saved(page, "CSV");
  assert.equal(csv.name, "kayles.csv");
  const lines = String(csv.bytes).trim().split("\n");
  assert.equal(lines.length, 102);
  KAYLES.forEach((value, n) => assert.ok(lines[n + 1].includes(`kayles:${n},`) && lines[n + 1].includes(String(value)), lines[n + 1]));
  const chart = String((await saved(page, "Chart as SVG")).bytes);
  // Each value has a rectangle, and exceptional values have another colour.
  const points = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    if (parsed.querySelector("parsererror")) return "no picture";
    return [...parsed.querySelectorAll("path[fill]")].map((path) => (path.getAttribute("d").match(/M/g) ?? []).length);
  }, chart);
  assert.ok(points.includes(101 - EXCEPTIONS.length) && points.includes(EXCEPTIONS.length), String(points));
  const map = String((await saved(page, "Map as SVG")).bytes);
  assert.equal((map.match(/<path fill="rgb[^>]*>/g) ?? []).join("").match(/M/g).length, 101);
  for (const name of ["Chart as PNG", "Map as PNG"]) {
    const { bytes } = await saved(page, name);
    assert.equal(String(bytes.subarray(1, 4)), "PNG");
    assert.ok(bytes.length > 1000);
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test("limits and invalid patterns give error messages", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await show(page, { p: "kayles", to: "100001" });
  assert.match(await page.locator("#table-notice").textContent(), /The rows go to 100000 here/);
  await show(page, { p: "octal[0.9]", to: "10" });
  assert.match(await page.locator("#table-notice [role=alert]").textContent(), /column 9/);
  await show(page, { p: "kayles:5", to: "10" });
  assert.match(await page.locator("#table-notice").textContent(), /write \{\} where the number of the row goes/);
  await show(page, { p: "wythoff:3,{}", from: "2", to: "9" });
  assert.deepEqual(await readout(page), [2, "5"]);
  await jump(page, 5);
  assert.deepEqual(await readout(page), [5, "0"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("zooming and jumping work with a hundred thousand values", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await show(page, { p: "nim", to: "100000" });
  const box = await page.locator(".chart-pane").boundingBox();
  await page.mouse.move(box.x + 300, box.y + 100);
  for (let i = 0; i < 5; i += 1) await page.mouse.wheel(0, -400);
  const [first, last] = await seen(page);
  assert.ok(first > 0 && last < 100_000, `${first} ${last}`);
  await jump(page, 77_777);
  assert.deepEqual(await readout(page), [77_777, "77777"]);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe-core finds no serious fault in ${colorScheme} colours`, async () => {
    for (const viewport of [{ width: 1200, height: 1000 }, { width: 390, height: 844 }]) {
      const { page, context, faults } = await open(chrome, server.address, { colorScheme, viewport });
      for (const [p, to] of [["kayles", "200"], ["top-entails", "100"], ["nonsense", "5"]]) {
        await show(page, { p, to });
        await page.getByText("The visible values as a table").click();
        assert.deepEqual(await seriousFaults(page), [], p);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${viewport.width} wide`);
      }
      assert.deepEqual(faults, []);
      await context.close();
    }
  });
}

test("a family without nimbers has no largest nimber and no colour scale", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await show(page, { p: "slide[-1,+1;4]", to: "4" });
  assert.equal(await page.locator(".table-facts .largest").textContent(), "none: no value is a nimber");
  assert.deepEqual(await page.locator(".table-legend .key").allTextContents(), []);
  await show(page, { p: "nim", to: "0" });
  assert.equal(await page.locator(".table-facts .largest").textContent(), "0 at 0");
  assert.deepEqual(faults, []);
  await context.close();
});

test("the hints of the families make no claims about periods", async () => {
  const { page, context } = await open(chrome, server.address);
  await show(page, { p: "hexadecimal[0.33F]", to: "40" });
  assert.match(await page.locator(".period").textContent(), /^Period 4 from 0 on; proved for all n/);
  for (const family of await page.locator("#family option").allTextContents()) {
    if (family === "other") continue;
    await page.locator("#family").selectOption({ label: family });
    assert.doesNotMatch(await page.locator(".family-hint").textContent(), /period|grow|ever|exception|rare/, family);
  }
  await context.close();
});

test("a pattern with two numbers is a map of all pairs", async () => {
  const { page, context, faults } = await open(chrome, server.address);
  await page.goto(`${server.address}/#/tables?${new URLSearchParams({ p: "wythoff:{a},{b}", to: "12" })}`);
  await page.locator(".only-pair .n").waitFor();
  assert.equal(await page.locator(".chart-pane").isVisible(), false);
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  const rows = (await readFile(await file.path(), "utf8")).trim().split("\n").slice(1).map((line) => line.split(","));
  assert.equal(rows.length, 13 * 13);
  // The pairs of value 0 are those of the golden section.
  const cold = rows.filter(([, , value]) => value === "0").map(([a, b]) => `${a},${b}`);
  const phi = (1 + Math.sqrt(5)) / 2;
  const expected = Array.from({ length: 8 }, (_, k) => [Math.floor(k * phi), Math.floor(k * phi) + k]).flatMap(([a, b]) => (a === b ? [`${a},${b}`] : [`${a},${b}`, `${b},${a}`])).filter((pair) => pair.split(",").every((n) => Number(n) <= 12));
  assert.deepEqual(cold.sort(), expected.sort());
  await page.locator(".map-pane").focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector(".only-pair .n").textContent === "a 0, b 1");
  await page.getByRole("link", { name: "Play this position" }).click();
  await page.waitForFunction(() => document.querySelector("#position")?.value === "wythoff:0,1");
  assert.deepEqual(faults, []);
  await context.close();
});
