// Checks the types in the comments of the modules.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

test("the modules of the page pass the type checker", () => {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const compiler = `${here}node_modules/typescript/bin/tsc`;
  const { stdout, status } = spawnSync(process.execPath, [compiler, "-p", here], { encoding: "utf8" });
  assert.equal(stdout, "");
  assert.equal(status, 0);
});
