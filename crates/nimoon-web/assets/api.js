// Requests to whatever answers: the program that serves this page, the engine in the page itself, or a program elsewhere.

/** An error that the program reports. */
export class ApiError extends Error {
  /** @param {{kind: string, message: string, line?: number, column?: number}} error */
  constructor(error) {
    super(error.message);
    this.kind = error.kind;
    this.line = error.line;
    this.column = error.column;
  }
}

/** A page that no program serves brings its own engine. Tests load modules without a page. */
const isStatic = globalThis.document?.documentElement.dataset.engine === "page";
/** The address of a program that was started by hand, as in `?engine=http://127.0.0.1:6174`: for questions that are too large for a page. */
const elsewhere = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.exec(new URLSearchParams(globalThis.location?.search).get("engine") ?? "")?.[0];
/** Who answers. @type {"page"|"program"} */
export const ENGINE = isStatic && !elsewhere ? "page" : "program";
/** Where the program answers, if it does not serve this page. */
export const PROGRAM = elsewhere?.replace("http://", "");

/** @param {string} path @param {any} body @param {AbortSignal} [signal] @returns {Promise<Response>} */
async function request(path, body, signal) {
  if (ENGINE === "page") return (await import("./engine/engine.js")).answer(path, body, signal);
  return fetch(`${elsewhere ?? "."}/api/${path}`, body === undefined ? { signal } : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });
}

/** @type {Map<string, any>} */
const cache = new Map();
const MAX_CACHED = 200;
/** Answers to longer requests are large too, so they are not cached. */
const MAX_CACHED_KEY = 20_000;

/**
 * @param {string} path
 * @param {any} [body] sent by POST; a request without a body uses GET
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<Response>}
 */
async function send(path, body, options = {}) {
  let response;
  try {
    response = await request(path, body, options.signal);
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError") throw error;
    if (ENGINE === "page") throw new ApiError({ kind: "offline", message: `cannot start the engine of this page: ${/** @type {Error} */ (error).message}` });
    throw new ApiError({ kind: "offline", message: "cannot reach the program: is nimoon still running?" });
  }
  if (!response.ok) {
    const failure = await response.json().catch(() => ({}));
    throw new ApiError(failure.error ?? { kind: "bug", message: `the program returned status ${response.status} without a message` });
  }
  return response;
}

/**
 * Sends a request and caches the answer: the same request always has the same answer.
 * @param {string} path as in `value`
 * @param {any} [body]
 * @param {{signal?: AbortSignal, cached?: boolean}} [options] set `cached` to false for large answers
 * @returns {Promise<any>} the JSON; `budget` says what is missing after a limit was reached
 */
export async function ask(path, body, options = {}) {
  const key = `${path} ${JSON.stringify(body)}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const response = await send(path, body, options);
  const answer = await response.json();
  const budget = response.headers.get("nimoon-budget");
  if (budget !== null) answer.budget = budget;
  else if (options.cached !== false && key.length <= MAX_CACHED_KEY) {
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value ?? "");
    cache.set(key, answer);
  }
  return answer;
}

/**
 * Requests something other than JSON, such as a picture.
 * @param {string} path
 * @param {any} body
 * @param {{signal?: AbortSignal}} [options]
 */
export async function askText(path, body, options = {}) {
  return (await send(path, body, options)).text();
}
