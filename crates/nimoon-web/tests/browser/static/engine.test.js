// The engine of the page gives the answers of the program, byte for byte, and is fast enough.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { generator } from "../graphs.js";

const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const bytes = readFileSync(`${root}target/page/nimoon.wasm`);
const golden = (name) => JSON.parse(readFileSync(`${root}golden/${name}.json`, "utf8"));

/** Starts the module; `ask` returns the whole reply. */
async function start() {
  let engine;
  let message = "";
  const text = (address, length) => Buffer.from(engine.memory.buffer, address >>> 0, length).toString();
  const page = { now: () => performance.now(), progress: () => {}, failed: (address, length) => { message = text(address, length); } };
  engine = (await WebAssembly.instantiate(bytes, { page })).instance.exports;
  engine.start();
  return (name, fields) => {
    const question = Buffer.from(`${name}\n${JSON.stringify(fields)}`);
    // Making room may move the memory.
    const address = engine.room(question.length) >>> 0;
    Buffer.from(engine.memory.buffer, address, question.length).set(question);
    try {
      const place = BigInt.asUintN(64, engine.ask());
      return text(Number(place >> 32n), Number(place & 0xffffffffn));
    } catch (error) {
      throw new Error(`${name} ${JSON.stringify(fields).slice(0, 300)}: ${message || error}`);
    }
  };
}

/** The replies of the same library on this machine, in one thread, and how many milliseconds each took. */
function native(questions) {
  const input = questions.map(([name, fields]) => `${name} ${JSON.stringify(fields)}\n`).join("");
  const program = `${root}target/release/examples/ask`;
  const output = execFileSync(program, { input, encoding: "utf8", maxBuffer: 1 << 30, env: { ...process.env, RAYON_NUM_THREADS: "1" } });
  return output.trimEnd().split("\n").map((line) => {
    const [, time, reply] = /^(\S+) (.*)$/s.exec(line);
    return { time: Number(time), reply: JSON.parse(reply) };
  });
}

/** A digraph with random arcs, as text. */
function digraph(nodes, arcs, random) {
  const lines = Array.from({ length: nodes }, (_, i) => [`n${i}:`]);
  for (let i = 0; i < arcs; i += 1) lines[random(nodes)].push(`n${random(nodes)}`);
  return lines.map((line) => line.join(" ")).join("\n");
}

/** What is compared: every question of the golden cases, and many positions, digraphs, games and mistakes. */
function corpus() {
  const all = golden("questions").cases.map(({ question, fields }) => [question, fields]);
  const positions = readFileSync(`${root}golden/rulesets/values.txt`, "utf8").split("\n")
    .filter((line) => /^[a-z]/.test(line)).map((line) => line.split("=")[0].trim()).filter((text) => !text.includes("(") && !/\d{5}/.test(text));
  for (const position of positions) {
    all.push(["value", { expression: position }], ["moves", { position }], ["explain", { position }]);
    all.push(["value", { expression: `${position} + nim:2` }], ["engine", { game: { position } }]);
  }
  for (const theory of ["carry_on", "entailing", "general"]) {
    for (const { digraph } of golden(theory).cases) {
      const text = JSON.stringify(digraph);
      all.push(["label", { digraph: { text, format: "json" } }], ["label", { digraph: { text, format: "json" }, smallest: true, steps: true }]);
    }
  }
  for (const { L, R, start } of golden("loopy").games) {
    const arcs = (lists) => lists.flatMap((list, from) => list.map((to) => [`v${from}`, `v${to}`]));
    const game = JSON.stringify({ nodes: L.map((_, i) => `v${i}`), left: arcs(L), right: arcs(R), start: `v${start}` });
    all.push(["loopy", { game }], ["compare", { a: game, b: "over" }]);
  }
  const random = generator(5);
  for (let i = 0; i < 60; i += 1) all.push(["label", { digraph: { text: digraph(6 + i, 12 + 2 * i, random), format: "game" }, steps: true }]);
  for (const pattern of ["nim", "kayles", "dawsons-kayles", "top-entails", "grundys-game"]) all.push(["table", { pattern, range: "0..300" }], ["period", { ruleset: pattern, up_to: 500 }]);
  for (const output of ["svg", "dot", "latex", "csv", "game"]) all.push(["label", { digraph: { text: "gray g\nz:\nc: c g\ng: z\n" }, output }]);
  for (const number of [2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53, "18446744073709551615"]) {
    all.push(["value", { expression: `nim:${number}` }], ["value", { expression: `kayles:${number}`, budget: 1000 }], ["table", { pattern: "nim", range: `${number}..${number}` }],
      ["affine", { form: `*${number}` }], ["loopy", { game: `*${number}` }], ["turns", { expression: "nim:1", limit: Number(number) }], ["moves", { position: "nim:3", moves: [Number(number)] }], ["period", { ruleset: "kayles", up_to: Number(number), budget: 2000 }]);
  }
  for (const depth of [100, 5000, 100_000]) all.push(["loopy", { game: "{".repeat(depth) }], ["affine", { form: `${"{".repeat(depth)}0${"|0}".repeat(depth)}` }], ["value", { expression: Array(depth).fill("nim:1").join(" + "), budget: 1000 }], ["ordinal", { expression: `${"(".repeat(depth)}w` }]);
  for (const wrong of [["value", { expression: "nim:" }], ["value", {}], ["no-question", {}], ["value", { expression: "nim:1", budget: -1 }], ["label", { digraph: { text: "a: b c\nb: ?" } }], ["loopy", { game: "{0|" }], ["value", { expression: "digraph[x]:a" }]]) all.push(wrong);
  return all;
}

test("the module imports three functions of the page and nothing else", async () => {
  const imports = WebAssembly.Module.imports(await WebAssembly.compile(bytes)).map(({ module, name, kind }) => `${module}.${name} ${kind}`);
  assert.deepEqual(imports.sort(), ["page.failed function", "page.now function", "page.progress function"]);
});

test("the module has at most 3 MB compressed", () => {
  const { length } = gzipSync(bytes, { level: 9 });
  console.log(`nimoon.wasm: ${(bytes.length / 1e6).toFixed(2)} MB, ${(length / 1e6).toFixed(2)} MB compressed`);
  assert.ok(length < 3_000_000, `${length} bytes`);
});

test("its answers are those of the program on this machine", async () => {
  const ask = await start();
  const questions = corpus();
  const expected = native(questions);
  assert.equal(expected.length, questions.length);
  let size = 0;
  questions.forEach(([name, fields], i) => {
    const reply = ask(name, fields);
    size += reply.length;
    if (reply !== expected[i].reply) {
      const at = [...reply].findIndex((letter, k) => letter !== expected[i].reply[k]);
      assert.fail(`${name} ${JSON.stringify(fields).slice(0, 300)}: …${reply.slice(Math.max(0, at - 80), at + 120)} instead of …${expected[i].reply.slice(Math.max(0, at - 80), at + 120)}`);
    }
  });
  console.log(`${questions.length} questions, ${(size / 1e6).toFixed(1)} MB of answers`);
  assert.ok(questions.length > 1500, `${questions.length}`);
});

test("it is at least half as fast as the program in one thread", async () => {
  const ask = await start();
  const large = digraph(100_000, 300_000, generator(3));
  const rounds = 5;
  for (const [what, name, fields] of [
    ["value nimstring:3x3", "value", { expression: "nimstring:3x3" }],
    ["labels of 100,000 nodes", "label", { digraph: { text: large, format: "game" } }],
  ]) {
    // Both sides run again and again, and the best counts, so that other work on the machine does not.
    const here = [];
    for (let i = 0; i < rounds; i += 1) {
      const begin = performance.now();
      ask(name, fields);
      here.push(performance.now() - begin);
    }
    const there = native(Array(rounds).fill([name, fields])).map(({ time }) => time);
    const ratio = Math.min(...here) / Math.min(...there);
    console.log(`${what}: ${Math.min(...here).toFixed(0)} ms in the module, ${Math.min(...there).toFixed(0)} ms on this machine, ratio ${ratio.toFixed(2)}`);
    assert.ok(ratio <= 2, `${what}: ${ratio}`);
  }
});
