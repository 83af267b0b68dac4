// The page without a server: from a folder of a plain file server, and from one file on disk.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { browser, open } from "../program.js";

const place = fileURLToPath(new URL("../../../../../target/page/", import.meta.url));
const FILE = pathToFileURL(`${place}nimoon.html`).href;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const BARTENDER = "green-lime:0-1g,1-2l,1-3g,2-3g + green-lime:lg + green-lime:0-1l,1-2g,1-3l + green-lime:0-1g,1-2l,1-3l";

/** A file server that knows nothing of nimoon, with the page in a folder below; `/frame` is a page with it in a frame. */
function hosting() {
  return createServer(async (request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    if (path === "/frame") { response.setHeader("content-type", "text/html").end(`<iframe id="slide" sandbox="allow-scripts" width="900" height="700" src="http://localhost:${request.socket.localPort}/some/folder/index.html?embed=1#/play?p=nim%3A3"></iframe>`); return; }
    if (!path.startsWith("/some/folder/")) { response.writeHead(404).end(); return; }
    const file = path.slice("/some/folder/".length) || "index.html";
    try {
      const body = await readFile(`${place}dist/${file}`);
      // The module has the type that many hosts send for files that they do not know.
      response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
      // A sandboxed frame has no origin, and loads modules only where this is allowed.
      response.setHeader("access-control-allow-origin", "*");
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
}

let host;
let chrome;
let folder;
before(async () => {
  host = hosting();
  await new Promise((resolve) => host.listen(0, "127.0.0.1", resolve));
  folder = `http://127.0.0.1:${host.address().port}/some/folder/`;
  chrome = await browser();
});
after(async () => {
  await chrome?.close();
  host.closeAllConnections();
  host.close();
});

const PLACES = [["a folder of a file server", () => folder], ["one file on disk", () => FILE]];
const at = (address, view, parameters = {}) => `${address}#/${view}?${new URLSearchParams(parameters)}`;
const ready = (page) => page.waitForFunction(() => document.querySelector(".boards .target") && !document.querySelector("#view.waiting"));

async function playByHints(page) {
  for (let turn = 0; turn < 40; turn += 1) {
    await page.waitForFunction(() => /win!/.test(document.querySelector(".headline")?.textContent ?? "") || (!document.querySelector("#view.waiting") && [...document.querySelectorAll("button")].some((button) => button.textContent === "Hint" && !button.disabled)));
    const headline = await page.locator(".headline").first().textContent();
    if (/win!/.test(headline)) return headline;
    const before = await page.locator(".history li").count();
    await page.getByRole("button", { name: "Hint", exact: true }).click();
    await page.locator(".boards .target.hinted").first().click();
    const dialog = page.locator("dialog.choices button").first();
    if (await dialog.count()) await dialog.click();
    await page.waitForFunction((before) => document.querySelectorAll(".history li").length > before, before);
  }
  throw new Error("no end after 40 turns");
}

for (const [name, address] of PLACES) {
  test(`the bartender's problem is won by clicks: ${name}`, async () => {
    const { page, context, faults } = await open(chrome, address());
    const begin = performance.now();
    await page.goto(at(address(), "play", { p: BARTENDER }));
    await ready(page);
    const first = performance.now() - begin;
    console.log(`from the address to the first answer: ${first.toFixed(0)} ms`);
    assert.ok(first < 2000, `${first} ms`);
    assert.equal(await page.locator("#engine").textContent(), "engine: in this page");
    assert.match(await playByHints(page), /^You win!/);
    const click = performance.now();
    await page.getByRole("button", { name: "Undo" }).click();
    await ready(page);
    assert.ok(performance.now() - click < 2000);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test(`every view answers: ${name}`, async () => {
    const { page, context, faults } = await open(chrome, address());
    for (const [view, what] of [["", ".arena .picture"], ["learn", ".arena .target"], ["puzzle", ".arena .target"], ["play", ".boards .target"], ["digraphs?x=zones", ".dg-node .value-cyclic"], ["tables?p=top-entails&to=4000", ".moons"], ["loopy?g=upon&h=over", ".comparison"], ["about", ".rulesets details"]]) {
      await page.goto("about:blank");
      await page.goto(`${address()}#/${view}`);
      await page.locator(what).first().waitFor();
    }
    assert.deepEqual(faults, []);
    await context.close();
  });

  test(`a mistake is reported with its place, and a link holds the whole state: ${name}`, async () => {
    const { page, context, faults } = await open(chrome, address());
    await page.goto(at(address(), "play", { p: "nim:3 + kayles:x" }));
    await page.getByRole("alert").waitFor();
    assert.match(await page.getByRole("alert").textContent(), /column 1\d/);
    await page.goto("about:blank");
    await page.goto(at(address(), "play", { p: "nim:3 + nim:5", m: "0.0", with: "person" }));
    await ready(page);
    assert.equal(await page.locator(".history li").count(), 2);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test(`a long question shows its progress, and stops when another one takes its place: ${name}`, async () => {
    const { page, context, faults } = await open(chrome, address());
    await page.goto(at(address(), "play", { p: "nim:3" }));
    await ready(page);
    await page.locator("#position").fill("nimstring:4x5");
    await page.getByRole("button", { name: "Play this", exact: true }).click();
    await page.waitForFunction(() => /position|computing/.test(document.querySelector("#engine").textContent), undefined, { timeout: 8000 });
    const begin = performance.now();
    await page.locator("#position").fill("nim:4");
    await page.getByRole("button", { name: "Play this", exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll(".boards .token").length === 4 && !document.querySelector("#view.waiting"));
    assert.ok(performance.now() - begin < 2000);
    assert.equal(await page.locator("#engine").textContent(), "engine: in this page");
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("a page in one file asks nobody for anything", async () => {
  const { page, context } = await open(chrome, FILE);
  const asked = [];
  page.on("request", (request) => { if (!/^(data|blob):/.test(request.url())) asked.push(request.url()); });
  await page.goto(at(FILE, "play", { p: "nim:3 + kayles:5" }));
  await ready(page);
  assert.deepEqual(asked, [at(FILE, "play", { p: "nim:3 + kayles:5" })]);
  await context.close();
});

test("the page works in a sandboxed frame of another site, which forbids it to remember anything", async () => {
  const { page, context } = await open(chrome, "http://");
  await page.goto(`${new URL(folder).origin}/frame`);
  const frame = page.frameLocator("#slide");
  await frame.locator(".boards .token").first().waitFor();
  assert.equal(await frame.locator("header.top").isVisible(), false);
  await frame.locator(".boards .target").first().click();
  await frame.getByText(/win/).first().waitFor();
  await context.close();
});

test("a module that is missing is reported in a sentence", async () => {
  const { page, context } = await open(chrome, folder);
  await page.route("**/nimoon.wasm", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(at(folder, "play", { p: "nim:3" }));
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /^Cannot load the engine of this page: nimoon\.wasm has status 404/i);
  await context.close();
});

test("a module that ends is reported, and the next question is answered", async () => {
  const { page, context } = await open(chrome, folder);
  // The first worker that gets a question says that its module has ended.
  await page.addInitScript(() => {
    const Original = Worker;
    let isBroken = true;
    window.Worker = class extends Original {
      postMessage(data) {
        if (!data.question || !isBroken) { super.postMessage(data); return; }
        isBroken = false;
        this.dispatchEvent(new MessageEvent("message", { data: { id: data.id, failed: "RuntimeError: unreachable", isMemory: true } }));
      }
    };
  });
  await page.goto(at(folder, "play", { p: "nim:3" }));
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /more memory than a page has/);
  await page.getByRole("button", { name: "Try again" }).click();
  await ready(page);
  await context.close();
});
