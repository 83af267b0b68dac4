// Digraphs labelled by a chosen theory, or by the smallest theory for each node.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startForAll } from "./program.js";
import { drawn, examples, labels, shown } from "./sheet.js";

startForAll();

test("a theory that does not fit the digraph gives an error with the reason", async () => {
  const text = readFileSync(`${examples}zones.game`, "utf8");
  const { page, context } = await drawn(text);
  await page.getByLabel("Theory").selectOption("general");
  await page.locator(".dg-status", { hasText: /^general theory/ }).waitFor();
  await page.getByLabel("Theory").selectOption("short");
  await page.getByText("does not fit the short theory").waitFor();
  assert.deepEqual(new Set(Object.values(await page.evaluate(() => [...document.querySelectorAll(".dg-value")].map((value) => value.textContent)))), new Set([""]));
  assert.equal(await page.locator(".dg-tool", { hasText: "Gray" }).locator("input").isDisabled(), true);
  await page.getByLabel("Theory").selectOption("auto");
  await page.locator(".dg-status", { hasText: /^carry-on theory/ }).waitFor();
  assert.deepEqual(await shown(page), await labels(text, "game", { theory: "auto" }));
  await context.close();
});

test("a gray node with two options does not change the values of nodes that cannot reach it", async () => {
  const { page, context, faults } = await drawn("gray g\nz:\na: z\nb: z a\nl: l a\ng: z a\nc: c g\n");
  assert.deepEqual(await shown(page), { z: "0", a: "1", b: "2", l: "∞₁", g: "gray", c: "?" });
  assert.match(await page.locator(".dg-status").textContent(), /^short, cyclic, entailing and general theories: 6 nodes \(1 gray\)/);
  await page.getByRole("button", { name: /^l, white/ }).click();
  assert.match(await page.locator(".dg-chosen").textContent(), /∞₁.*cyclic theory/);
  await page.locator(".dg-reasons").waitFor();
  // The theory of the sum must fit only the nodes that the pieces can reach.
  for (const name of ["a", "b"]) {
    await page.getByRole("button", { name: new RegExp(`^${name}, white`) }).click();
    await page.getByRole("button", { name: "Add a piece" }).click();
  }
  await page.locator(".dg-sum .value-nimber", { hasText: "3" }).waitFor();
  // A single theory for all nodes can still be chosen, and the address stores the choice.
  await page.getByLabel("Theory").selectOption("auto");
  await page.locator(".dg-status", { hasText: /^general theory/ }).waitFor();
  assert.equal((await shown(page)).z, "?");
  assert.match(page.url(), /t=auto/);
  assert.deepEqual(faults, []);
  await context.close();
});
