// Starts the program and a browser for the tests.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns the path of the program: NIMOON, or the last build of cargo. */
function program() {
  const found = [process.env.NIMOON, `${root}target/release/nimoon`, `${root}target/debug/nimoon`].find((path) => path && existsSync(path));
  if (!found) throw new Error("cannot find nimoon: build it, or set NIMOON to its path");
  return found;
}

/** Starts the program as a server on a free port. */
export async function serve(...options) {
  const child = spawn(program(), ["serve", "--port", "0", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve(String(data).trim().replace(/\/$/, "")));
    child.once("exit", (code) => reject(new Error(`nimoon ended with ${code}`)));
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return { address, stop: async () => { child.kill("SIGINT"); return ended; } };
}

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Starts the installed browser. */
export function browser() {
  const paths = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const executablePath = paths.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("cannot find chromium: install it, or set CHROMIUM to its path");
  return chromium.launch({ executablePath, args: FLAGS });
}

/** @type {{address: string, stop: () => Promise<any>}} */
export let server;
/** @type {import("playwright-core").Browser} */
export let chrome;

/** Starts the program and the browser before the tests of a file, and stops them afterwards. The program must exit with 0. */
export function startForAll() {
  before(async () => {
    server = await serve();
    chrome = await browser();
  });
  after(async () => {
    await chrome?.close();
    assert.equal(await server.stop(), 0);
  });
}

/**
 * Opens a page. `faults` collects errors and requests to other servers.
 * @param {import("playwright-core").Browser} browser
 * @param {string} address
 * @param {import("playwright-core").BrowserContextOptions} [options]
 */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 1000 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => { if (message.type() === "error" && !/status of 4/.test(message.text())) faults.push(message.text()); });
  page.on("request", (request) => { if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(address)) faults.push(`requested ${request.url()}`); });
  return { page, context, faults };
}

/** Returns the address of a game. */
export const game = (address, position, options = {}) => `${address}/#/play?${new URLSearchParams({ p: position, ...options })}`;

/** Returns the serious faults that axe-core finds. */
export async function seriousFaults(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 120)} ${node.failureSummary?.split("\n")[1] ?? ""}`).join(" | ")}`);
}
