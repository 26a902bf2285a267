/**
 * Drawing sound and markers. A `range` is what is seen: from when, how long that is (ms), and how wide (px); `cells`
 * are `{min, max, n: [H, S, T, F, other]}`.
 */
import { BLOCK, PEAKS_A_SECOND } from "./peaks.js";

const COLOURS = ["--H", "--S", "--T", "--F", "--ink-2"];
const SHAPES_UP_TO = 90; // markers in view; more are drawn as densities

/** @param {number[]} n */
const sumOf = (n) => n[0] + n[1] + n[2] + n[3] + n[4];
/**
 * @param {Seen} range
 * @param {number} offset
 */
export const xOf = ({ from, span, width }, offset) => (offset - from) / span * width;

/**
 * A canvas of the screen's own pixels; its unit is a CSS pixel.
 * @param {HTMLCanvasElement} canvas
 */
function clear(canvas) {
  const [width, height, scale] = [canvas.clientWidth, canvas.clientHeight, Math.min(3, devicePixelRatio)];
  const [w, tall] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== tall) Object.assign(canvas, { width: w, height: tall });
  const context = /** @type {any} */ (canvas.getContext("2d"));
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, height };
}

/**
 * Draws bars: `[x, low, high]` from -1 to 1.
 * @param {HTMLCanvasElement} canvas
 * @param {number[][]} bars
 * @param {string} colour
 */
export function drawBars(canvas, bars, colour) {
  const { context, height } = clear(canvas);
  const middle = height / 2;
  context.fillStyle = colour;
  context.beginPath();
  for (const [x, low, high] of bars) {
    context.roundRect(x, middle - high * middle, 2, Math.max(1.5, (high - low) * middle), 1);
  }
  context.fill();
}

/**
 * A bar every three pixels, of the peaks of a recording.
 * @param {Seen} range
 * @param {Api.SessionMedia} item
 * @param {any} peaks
 */
export function peakBars({ from, span, width }, { start_offset_ms: start = 0 }, peaks) {
  /** @type {number[][]} */
  const bars = [];
  const level = peaks.level(width / 3 * 2 / (span / 1000));
  const point = (/** @type {number} */ x) =>
    Math.floor((from + x / width * span - start) / 1000 * PEAKS_A_SECOND / level);
  if (point(width) < 0) return bars;
  const { blocks } = peaks.blocks(level, Math.floor(point(0) / BLOCK), Math.floor(point(width) / BLOCK));
  for (let x = 0; x < width; x += 3) {
    let low = 0, high = 0, found = false;
    for (let index = Math.max(0, point(x)); index < Math.max(point(x) + 1, point(x + 3)); index += 1) {
      const block = blocks.get(Math.floor(index / BLOCK));
      const place = index % BLOCK * 2;
      if (!block || place + 1 >= block.length) continue;
      found = true;
      low = Math.min(low, block[place]);
      high = Math.max(high, block[place + 1]);
    }
    if (found) bars.push([x, low / 128, high / 128]);
  }
  return bars;
}

/**
 * @param {Seen} range
 * @param {Cell[]} cells
 * @param {(first: number, last: number, n: number[]) => unknown} fn
 */
function eachCell(range, cells, fn) {
  for (const { min, max, n } of cells) {
    if (max < range.from || min > range.from + range.span || !sumOf(n)) continue;
    fn(xOf(range, min), xOf(range, max + 1), n);
  }
}

/**
 * Without sound: how many markers there are.
 * @param {Seen} range
 * @param {Cell[]} cells
 */
export function densityBars(range, cells) {
  const counts = new Array(Math.ceil(range.width / 3)).fill(0);
  eachCell(range, cells, (first, last, n) => {
    const from = Math.max(0, Math.floor(first / 3));
    const to = Math.min(counts.length - 1, Math.floor(last / 3));
    for (let index = from; index <= to; index += 1) counts[index] += sumOf(n) / (to - from + 1);
  });
  const most = Math.max(1, ...counts);
  const bars = counts.map((number, index) => [index * 3, -Math.sqrt(number / most) * 0.9,
    Math.sqrt(number / most) * 0.9]);
  return bars.filter(([, low]) => low);
}

/**
 * Few markers are shapes of their category; many are a lane for each category, darker where there are more.
 * @param {HTMLCanvasElement} canvas
 * @param {Seen} range
 * @param {Cell[]} cells
 * @param {(name: string) => string} colour
 */
export function drawMarkers(canvas, range, cells, colour) {
  const { context, height } = clear(canvas);
  let seen = 0;
  eachCell(range, cells, (first, last, n) => { seen += sumOf(n); });
  const lane = height / 5;
  eachCell(range, cells, (first, last, n) => n.forEach((count, kind) => {
    if (!count) return;
    context.fillStyle = colour(COLOURS[kind]);
    if (seen <= SHAPES_UP_TO) {
      return shape(context, kind, Math.max(7, Math.min(range.width - 7, (first + last) / 2)), height / 2);
    }
    context.globalAlpha = Math.min(1, 0.3 + Math.log10(count + 1) * 0.35);
    context.fillRect(first, kind * lane, Math.max(2, last - first), lane - 1);
    context.globalAlpha = 1;
  }));
}

/**
 * H diamond, S square, T circle, F triangle; without a category a small dot.
 * @param {CanvasRenderingContext2D} context
 * @param {number} kind
 * @param {number} x
 * @param {number} y
 */
function shape(context, kind, x, y) {
  const r = 5;
  context.beginPath();
  if (kind === 0) [[0, -r - 1], [r + 1, 0], [0, r + 1], [-r - 1, 0]].forEach(([dx, dy]) => context.lineTo(x + dx,
    y + dy));
  else if (kind === 1) context.rect(x - r + 0.5, y - r + 0.5, 2 * r - 1, 2 * r - 1);
  else if (kind === 3) [[0, -r - 0.5], [r + 0.5, r - 0.5], [-r - 0.5,
    r - 0.5]].forEach(([dx, dy]) => context.lineTo(x + dx, y + dy));
  else context.arc(x, y, kind === 2 ? r : 2.5, 0, 2 * Math.PI);
  context.fill();
}
