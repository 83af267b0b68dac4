// Runs the engine in a thread of its own: one question after the other. To stop a question, the page ends this worker.
//
// This is a classic script without imports, so that a page in one file can start it from a text.

/** @type {any} */
let engine = null;
/** The number of the question that is being answered. */
let current = 0;
let message = "";

const read = (/** @type {number} */ address, /** @type {number} */ length) => new Uint8Array(engine.memory.buffer, address, length);
const text = (/** @type {number} */ address, /** @type {number} */ length) => new TextDecoder().decode(read(address, length));

const page = {
  now: () => performance.now(),
  progress: (/** @type {number} */ address, /** @type {number} */ length) => postMessage({ id: current, progress: text(address >>> 0, length) }),
  failed: (/** @type {number} */ address, /** @type {number} */ length) => { message = text(address >>> 0, length); },
};

/** @param {string} question */
function answer(question) {
  const bytes = new TextEncoder().encode(question);
  const address = engine.room(bytes.length) >>> 0;
  read(address, bytes.length).set(bytes);
  const place = BigInt.asUintN(64, engine.ask());
  const reply = read(Number(place >> 32n), Number(place & 0xffffffffn));
  const end = reply.indexOf(10);
  const head = JSON.parse(new TextDecoder().decode(reply.subarray(0, end)));
  return { ...head, body: reply.slice(end + 1).buffer };
}

addEventListener("message", async ({ data }) => {
  if (data.module) {
    engine = (await WebAssembly.instantiate(/** @type {WebAssembly.Module} */ (data.module), { page })).exports;
    engine.start();
    return postMessage({ ready: true });
  }
  current = data.id;
  try {
    const reply = answer(data.question);
    postMessage({ id: data.id, ...reply, held: engine.memory.buffer.byteLength }, { transfer: [reply.body] });
  } catch (error) {
    // The module has ended, and cannot be used again. Without a message, it got no memory.
    postMessage({ id: data.id, failed: message || String(error), isMemory: !message && /unreachable/.test(String(error)) });
  }
});
