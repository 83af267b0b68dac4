// Takes the screenshots of the page for the README. Run it with: node screenshots.js
import { fileURLToPath } from "node:url";
import { browser, game, open, serve } from "./program.js";

const pictures = fileURLToPath(new URL("../../../../docs/pictures/", import.meta.url));
const BARTENDER = "green-lime:0-1g,1-2l,1-3g,2-3g + green-lime:lg + green-lime:0-1l,1-2g,1-3l + green-lime:0-1g,1-2l,1-3l";

/** The screenshots: a name, an address, and the steps before the screenshot. */
const shots = (address) => [
  { name: "page-play", address: game(address, BARTENDER, { guided: "1", values: "1" }), height: 1010 },
  {
    name: "page-explain",
    address: game(address, BARTENDER, { values: "1" }),
    height: 900,
    prepare: async (page) => {
      await page.getByText("Explain this position").click();
      await page.getByText("The table of sums").click();
      await page.locator(".explanation").scrollIntoViewIfNeeded();
      await page.evaluate(() => document.querySelector("details.panel").scrollIntoView());
    },
  },
  {
    name: "page-digraphs",
    address: `${address}/#/digraphs?x=zones`,
    height: 960,
    ready: ".dg-node .value-cyclic",
    prepare: async (page) => {
      await page.getByRole("button", { name: /^x, white/ }).click();
      await page.locator(".dg-reasons").waitFor();
      await page.locator(".dg-sum").waitFor();
    },
  },
  { name: "page-boards", address: game(address, "nimstring:2x3/110000100/00010010 + lights:2b1s1b2s1b + top-entails:6 + nim:4", { with: "person" }), height: 760, colorScheme: "dark" },
  { name: "page-phone", address: game(address, BARTENDER, { guided: "1" }), width: 390, height: 844, colorScheme: "dark", prepare: async (page) => {
    await page.getByRole("button", { name: "Show me a move" }).click();
    await page.locator(".boards .target.hinted").first().waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  } },
  { name: "page-about", address: `${address}/#/about`, height: 900, ready: ".rulesets details", prepare: async (page) => {
    await page.locator(".rulesets summary").filter({ hasText: /^top-entails$/ }).click();
    await page.getByText("POST /api/value").click();
    await page.evaluate(() => scrollTo(0, 0));
  } },
  { name: "page-loopy", address: `${address}/#/loopy?${new URLSearchParams({ g: "upon", h: "over" })}`, height: 980, ready: ".comparison" },
  { name: "page-tables", address: `${address}/#/tables?${new URLSearchParams({ p: "top-entails", to: "40000" })}`, height: 1060, ready: ".moons" },
];

const server = await serve();
const chrome = await browser();
for (const { name, address, width = 1180, height, prepare, ready = ".boards .target", colorScheme = "light" } of shots(server.address)) {
  const { page, context } = await open(chrome, server.address, { viewport: { width, height }, colorScheme });
  await page.goto(address);
  await page.locator(ready).first().waitFor();
  await prepare?.(page);
  await page.screenshot({ path: `${pictures}${name}.png` });
  await context.close();
}
await chrome.close();
await server.stop();
