// Helpers for tests of the view Digraphs.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { chrome, open, server } from "./program.js";

export const examples = fileURLToPath(new URL("../../../../examples/", import.meta.url));

/** Sends a request to the program. */
export async function request(path, body) {
  const response = await fetch(`${server.address}/api/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  assert.equal(response.status, 200, await response.clone().text());
  return response.json();
}

/** Returns the values of all nodes; gray nodes have the text gray. */
const texts = (nodes) => Object.fromEntries(nodes.map((node) => [node.node, node.color === "gray" ? "gray" : node.text]));
export const labels = async (text, format = "game", by = { smallest: true }) => texts((await request("label", { digraph: { text, format }, ...by })).nodes);

/** Waits until all requests have answers. */
export async function settled(page) {
  await page.locator(".dg-stage").waitFor();
  await page.waitForFunction(() => !document.querySelector("#view.waiting") && document.querySelector(".dg-status")?.textContent !== "");
}

/** Returns the values in the picture, by the names of the nodes. */
export async function shown(page) {
  await settled(page);
  return page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".dg-node")].map((node) => [
    node.querySelector(".dg-name").textContent,
    node.querySelector(".dg-body.is-gray") ? "gray" : node.querySelector(".dg-value").textContent])));
}

/** Opens the page with a digraph, or with an empty sheet if the text is empty. */
export async function drawn(text, { format = "game", options = {}, query = "" } = {}) {
  const opened = await open(chrome, server.address, options);
  await opened.page.goto(`${server.address}/#/digraphs${query}`);
  await settled(opened.page);
  await opened.page.locator(".dg-node").first().waitFor();
  if (text === "") await opened.page.getByRole("button", { name: "Clear" }).click();
  else if (text !== undefined) {
    await opened.page.getByLabel("read as").selectOption(format);
    await opened.page.getByLabel("Or paste a digraph").fill(text);
    await opened.page.getByRole("button", { name: "Draw this" }).click();
  }
  await settled(opened.page);
  return opened;
}
