/**
 * Time and turns: signals, limits, locks, the server's clock, ids, loading the page again. Nothing of it touches an
 * element.
 */

export const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/**
 * Something that tells its listeners: `on(fn)` returns the way to stop listening.
 * @template {unknown[]} Values
 * @returns {Signal<Values>}
 */
export function signal() {
  /** @type {Set<(...values: Values) => unknown>} */
  const listeners = new Set();
  return {
    on(fn) {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },
    tell: (...values) => [...listeners].forEach((fn) => fn(...values)),
  };
}

/**
 * Resolves to what a promise does, or after a time to `otherwise`: nothing is waited for without an end.
 * @template Result
 * @type {<Result>(ms: number, promise: Promise<Result>, otherwise?: any) => Promise<Result>}
 */
export const within = (ms, promise, otherwise) => {
  /** @type {Timer} */
  let timer;
  const late = new Promise((done, failed) => {
    timer = setTimeout(() => (otherwise instanceof Error ? failed(otherwise) : done(otherwise)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

/**
 * Runs `work` while this tab holds the lock; at once where there are no Web Locks, and after three seconds without
 * it: a tab that was frozen never gives it back, and two that do the same do no harm.
 * @template Result
 * @param {string} name
 * @param {LockOptions} options
 * @param {(lock: any) => Promise<Result> | Result} work
 * @returns {Promise<Result>}
 */
export async function withLock(name, options, work) {
  if (!navigator.locks) return work({});
  const late = new AbortController(), timer = setTimeout(() => late.abort(), 3 * SECOND);
  const asked = options.ifAvailable || options.signal ? options : { ...options, signal: late.signal };
  return navigator.locks.request(name, asked, (lock) => (clearTimeout(timer), work(lock)))
    .catch((error) => (late.signal.aborted && asked.signal === late.signal && error.name === "AbortError" ? work({})
      : Promise.reject(error))).finally(() => clearTimeout(timer));
}

// MARK: Clock

/** @type {{ base: number, difference: number, took: number }[]} */
let samples = [];
let before = 0;

/**
 * The server's time in ms. Of the last eight answers the quickest counts. Their difference from this device's clock is
 * taken again as soon as that clock was set: then it and the steady one of the page drift apart.
 * @type {Clock}
 */
export const clock = {
  /** Told a difference that is another than the one that is remembered. */
  learned: signal(),
  /** The difference that counts until the server has answered. */
  remember: (difference = 0) => void (before = difference),
  get difference() {
    if (!samples.length) return before;
    return samples.reduce((best, one) => (one.took < best.took ? one : best)).difference;
  },
  now: () => Math.round(Date.now() + clock.difference),
  learn(serverTime, sent, received) {
    const base = Date.now() - performance.now();
    const difference = serverTime - (Date.now() - (received - sent) / 2);
    samples = [...samples.filter((one) => Math.abs(one.base - base) < 500),
      { base, difference, took: received - sent }].slice(-8);
    if (Math.abs(clock.difference - before) > 50) clock.learned.tell(clock.difference);
  },
};

/**
 * The offset (ms) of a moment (ms) by the clock of a session as `GET /sessions/{s}` has it; undefined without a start.
 * @param {SessionClock} about
 * @param {number} [moment]
 */
export function sessionOffset({ start_time: start, pauses = [], paused_at_ms: standing } = {}, moment = clock.now()) {
  if (!start) return undefined;
  let running = moment - Date.parse(start);
  for (const pause of pauses) {
    if (running <= pause.offset_ms) break;
    running = Math.max(pause.offset_ms, running - pause.length_ms);
  }
  return Math.max(0, standing === undefined || standing === null ? running : Math.min(running, standing));
}

/**
 * What a reload waits for: a recording that ends, a text that is kept.
 * @type {Set<() => unknown>}
 */
export const beforeReload = new Set();

export async function reload() {
  await within(5 * SECOND, Promise.allSettled([...beforeReload].map((work) => work())));
  location.reload();
}
