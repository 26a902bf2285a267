/** Of all tabs of this browser one plays: the one that began last. */

const LOCK = "trace-playing";

/** @type {((value?: unknown) => void) | undefined} */
let turn; // how to give it back

/**
 * Takes the turn from the tab that has it; `lost` is called when another tab takes it from this one. Without Web Locks
 * each tab plays for itself.
 * @param {() => unknown} lost
 */
export function takeTurn(lost) {
  if (turn || !navigator.locks) return;
  /** @type {((value?: unknown) => void) | undefined} */
  let mine;
  const held = new Promise((done) => (mine = turn = done));
  navigator.locks.request(LOCK, { steal: true }, () => held).catch((error) => {
    if (turn !== mine || error.name !== "AbortError") return;
    turn = undefined;
    lost();
  });
}

export function giveTurn() {
  turn?.();
  turn = undefined;
}
