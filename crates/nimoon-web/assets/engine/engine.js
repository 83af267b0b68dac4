// The engine in the page itself: a WebAssembly module in workers, for pages that no program serves.

/** How many questions are answered at the same time. */
const WORKERS = 2;
/** A worker never gives memory back, so one that holds more than this is replaced. */
const MOST_HELD = 512 << 20;

/**
 * @typedef {{id: number, question: string, settle: (response: Response) => void, reject: (error: Error) => void}} Job
 * @typedef {{worker: Worker|null, isReady: boolean, job: Job|null}} Place
 */

/** @type {Place[]} */
let places = [];
/** @type {Job[]} */
let waiting = [];
let count = 0;
/** What workers are made of. @type {Promise<{module: WebAssembly.Module, address: string}>|null} */
let loaded = null;

/** Says how far long questions are; null when nothing is being computed. @type {(words: string|null) => void} */
let report = () => {};
/** @param {(words: string|null) => void} listener */
export const onProgress = (listener) => { report = listener; };

/** The text of an element that a page in one file carries. @param {string} id */
const carried = (id) => document.getElementById(id)?.textContent?.trim();

/** Compiles the module: one that the page carries, or a file beside this one. */
async function compile() {
  const packed = carried("engine-module");
  if (packed) {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(plain).arrayBuffer());
  }
  const response = await fetch(new URL("nimoon.wasm", import.meta.url));
  if (!response.ok) throw new Error(`nimoon.wasm has status ${response.status}`);
  // Some hosts send another type.
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function loadAll() {
  const [module, source] = await Promise.all([compile(), carried("engine-worker") ?? fetch(new URL("worker.js", import.meta.url)).then((response) => response.text())]);
  // In a sandboxed frame a worker cannot be started from an address of the host, but from a text.
  return { module, address: URL.createObjectURL(new Blob([source], { type: "text/javascript" })) };
}

function load() {
  loaded ??= loadAll();
  loaded.catch(() => { loaded = null; });
  return loaded;
}

/** @returns {Place} */
function start() {
  /** @type {Place} */
  const place = { worker: null, isReady: false, job: null };
  load().then(({ module, address }) => {
    if (!places.includes(place)) return;
    const worker = new Worker(address);
    place.worker = worker;
    worker.onmessage = ({ data }) => hear(place, data);
    worker.onerror = (event) => { event.preventDefault(); fail(place, event.message || "the worker ended"); };
    worker.postMessage({ module });
  }).catch((error) => fail(place, `cannot load the engine of this page: ${error.message}`));
  return place;
}

/** @param {Place} place @param {any} data */
function hear(place, data) {
  if (data.ready) { place.isReady = true; next(); return; }
  if (data.id !== place.job?.id) return;
  if (data.progress) { report(data.progress); return; }
  if (data.failed) { fail(place, data.isMemory ? "this question needs more memory than a page has: the program nimoon has more" : `nimoon failed: please report this with the position that caused it (${data.failed})`); return; }
  const { job } = place;
  place.job = null;
  const headers = new Headers({ "content-type": data.type });
  if (data.budget) headers.set("nimoon-budget", data.budget.replace(/[^ -~]/g, "?"));
  job?.settle(new Response(data.body, { status: data.status, headers }));
  if (data.held > MOST_HELD) remove(place);
  next();
}

/** Ends a worker; another one starts when it is needed. @param {Place} place */
function remove(place) {
  place.worker?.terminate();
  places = places.filter((other) => other !== place);
}

/** @param {Place} place @param {string} message */
function fail(place, message) {
  const { job } = place;
  remove(place);
  const jobs = job ? [job] : place.isReady ? [] : waiting.splice(0);
  for (const { settle } of jobs) settle(Response.json({ error: { kind: "bug", message } }, { status: 500 }));
  next();
}

/** Gives waiting questions to free workers. */
function next() {
  for (const place of places) {
    if (!place.isReady || place.job) continue;
    const job = waiting.shift();
    if (!job) break;
    place.job = job;
    place.worker?.postMessage({ id: job.id, question: job.question });
  }
  const isBusy = places.every(({ job }) => job);
  if (waiting.length > 0 && isBusy && places.length < WORKERS) places.push(start());
  if (places.every(({ job }) => !job)) report(null);
}

/** Loads the engine before it is asked. */
export function prepare() {
  if (places.length === 0) places.push(start());
}

/**
 * Asks a question, and answers as a server would.
 * @param {string} name @param {any} [fields] @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
export function answer(name, fields = {}, signal) {
  return new Promise((settle, reject) => {
    const job = { id: count += 1, question: `${name}\n${JSON.stringify(fields)}`, settle, reject };
    const stopped = () => new DOMException("the question was stopped", "AbortError");
    if (signal?.aborted) { reject(stopped()); return; }
    signal?.addEventListener("abort", () => {
      reject(stopped());
      waiting = waiting.filter((other) => other !== job);
      const place = places.find((other) => other.job === job);
      // The module cannot be interrupted, but a worker can be ended, and the next one starts in a few milliseconds.
      if (place) { remove(place); prepare(); next(); }
    }, { once: true });
    waiting.push(job);
    prepare();
    next();
  });
}
