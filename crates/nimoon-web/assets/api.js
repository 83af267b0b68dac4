// Requests to the program.

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
  const request = body === undefined
    ? { signal: options.signal }
    : {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: options.signal,
      };
  let response;
  try {
    response = await fetch(`/api/${path}`, request);
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError") throw error;
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
