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

/** The program: NIMOON, or what cargo built last. */
function program() {
  const found = [process.env.NIMOON, `${root}target/release/nimoon`, `${root}target/debug/nimoon`].find((path) => path && existsSync(path));
  if (!found) throw new Error("build nimoon first, or tell where it is by NIMOON");
  return found;
}

/** The program, serving on a free port. */
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

/** Debian's browser. */
export function browser() {
  const paths = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const executablePath = paths.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error("chromium is missing: apt-get install chromium, or tell where it is by CHROMIUM");
  return chromium.launch({ executablePath, args: FLAGS });
}

/** @type {{address: string, stop: () => Promise<any>}} */
export let server;
/** @type {import("playwright-core").Browser} */
export let chrome;

/** Starts both before the tests of a file, and stops them after: the program has to end as it should. */
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
 * A page that fails the test on any error, and on any request that leaves the program.
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
  page.on("request", (request) => { if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(address)) faults.push(`asked ${request.url()}`); });
  return { page, context, faults };
}

/** The address of a game. */
export const game = (address, position, options = {}) => `${address}/#/play?${new URLSearchParams({ p: position, ...options })}`;

/** Serious faults that axe-core finds. */
export async function seriousFaults(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 120)} ${node.failureSummary?.split("\n")[1] ?? ""}`).join(" | ")}`);
}
