/** A swipe on a row: the same as its ⋯, for a thumb. */

const FAR = 72; // px from which on it counts
const SLOP = 10; // px in which a finger rests
const MOST = 96; // px that a row gives way

/**
 * Rows of a list that have a button with a menu open it when a finger draws them that far towards their beginning. A
 * row needs `touch-action: pan-y`, so that the browser leaves what goes sideways to the page; it has the class `swiped`
 * and `--swipe`, how far it was drawn (px, with its sign), as long as the finger is down, and `far` once it counts.
 * @param {HTMLElement} list
 * @param {string} rows
 */
export function swipes(list, rows) {
  /** @type {HTMLElement | null} */
  let row = null;
  /** @type {HTMLElement | null} */
  let more = null;
  let pointer = NaN, x = 0, y = 0, isFar = false, isSideways = false;

  const end = () => {
    row?.classList.remove("swiped", "far");
    row?.style.removeProperty("--swipe");
    row = more = null;
    isFar = isSideways = false;
  };

  list.addEventListener("pointerdown", (event) => {
    end();
    // A second finger is no swipe.
    if (event.pointerType !== "touch" || !event.isPrimary) return;
    row = /** @type {Element} */ (event.target).closest(rows);
    more = row?.querySelector(":scope > [aria-haspopup=dialog]") ?? null;
    if (!more) row = null;
    [pointer, x, y] = [event.pointerId, event.clientX, event.clientY];
  });
  list.addEventListener("pointermove", (event) => {
    if (!row || event.pointerId !== pointer) return;
    const side = getComputedStyle(row).direction === "rtl" ? 1 : -1, far = (event.clientX - x) * side;
    const aside = Math.abs(event.clientY - y);
    if (!isSideways && Math.max(far, aside) < SLOP) return;
    if (!isSideways && far < 2 * aside) return end();
    isSideways = true;
    row.classList.add("swiped");
    row.style.setProperty("--swipe", `${side * Math.max(0, Math.min(MOST, far))}px`);
    if (far >= FAR && !isFar) navigator.vibrate?.(10);
    isFar = far >= FAR;
    row.classList.toggle("far", isFar);
  });
  list.addEventListener("pointerup", (event) => {
    const button = event.pointerId === pointer && isFar ? more : null;
    end();
    button?.click();
  });
  list.addEventListener("pointercancel", end);
}
