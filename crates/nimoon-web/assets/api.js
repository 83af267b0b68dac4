// Questions to the program.

/** What the program says when there is no answer. */
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
const kept = new Map();
const MOST_KEPT = 200;
/** Answers to longer questions are not kept: they are large too. */
const LONGEST_KEPT = 20_000;

/**
 * @param {string} path
 * @param {any} [body] without it the path is asked by GET
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<Response>}
 */
async function fetched(path, body, options = {}) {
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
    throw new ApiError({ kind: "offline", message: "the program does not answer: is nimoon still running?" });
  }
  if (!response.ok) {
    const told = await response.json().catch(() => ({}));
    throw new ApiError(told.error ?? { kind: "bug", message: `the program answered with status ${response.status}` });
  }
  return response;
}

/**
 * Asks, and keeps the answer: the same question has the same answer.
 * @param {string} path as in `value`
 * @param {any} [body]
 * @param {{signal?: AbortSignal, keep?: boolean}} [options] large answers are better not kept
 * @returns {Promise<any>} the JSON; `budget` says what is missing since a limit was hit
 */
export async function ask(path, body, options = {}) {
  const key = `${path} ${JSON.stringify(body)}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const response = await fetched(path, body, options);
  const answer = await response.json();
  const budget = response.headers.get("nimoon-budget");
  if (budget !== null) answer.budget = budget;
  else if (options.keep !== false && key.length <= LONGEST_KEPT) {
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? "");
    kept.set(key, answer);
  }
  return answer;
}

/**
 * Asks for something that is not JSON, such as a picture.
 * @param {string} path
 * @param {any} body
 * @param {{signal?: AbortSignal}} [options]
 */
export async function askText(path, body, options = {}) {
  return (await fetched(path, body, options)).text();
}
