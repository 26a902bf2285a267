/** Elements and drawings. */

const SVG = "http://www.w3.org/2000/svg";
let fields = 0;

/**
 * Makes an element: `h("button.primary", {onclick}, "Text")`. Strings become text nodes; null, undefined and false are
 * left out. Fields get a name, without which browsers complain.
 * @template {string} Tag
 * @param {Tag} tag
 * @param {Props<ElementOf<Tag>> | Child} [props]
 * @param {...Child} children
 * @returns {ElementOf<Tag>}
 */
export function h(tag, props, ...children) {
  if (props instanceof Node || Array.isArray(props) || typeof props !== "object") {
    children.unshift(props);
    props = null;
  }
  const [name, ...classes] = tag.split(".");
  const element = /** @type {any} */ (document.createElement(name || "div"));
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") classes.push(...String(value).split(" ").filter(Boolean));
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  if (classes.length) element.className = classes.join(" ");
  const isField = "form" in element && "value" in element && name !== "button";
  if (isField && !element.id) element.name ||= `field-${fields += 1}`;
  element.append(.../** @type {any[]} */ (children).flat(Infinity)
    .filter((child) => child !== undefined && child !== null
    && child !== false));
  return element;
}

/** @type {Map<string, Promise<unknown>>} */
const sheets = new Map();

/**
 * Resolves once a style sheet counts. One that did not come is asked for again by who needs it next.
 * @param {string} href
 */
export function styled(href) {
  const coming = sheets.get(href) ?? new Promise((done, failed) => {
    const link = h("link", { rel: "stylesheet", href, onload: done, onerror: () => {
      link.remove();
      sheets.delete(href);
      failed(new Error(href));
    } });
    document.head.append(link);
  });
  sheets.set(href, coming);
  return coming;
}

/**
 * Drawings by name; a module that needs others adds them by `drawings`.
 * @type {Record<string, string>}
 */
const icons = {};

/**
 * Adds drawings: paths of 24 units by names. A `*` fills one, `^3` sets its stroke.
 * @param {Record<string, string>} table
 */
export const drawings = (table) => Object.assign(icons, table);

/**
 * A drawing in the colour of the text; a name that is not known gives an empty one.
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path");
  const [, line, fill, width] = /^([^*^]*)(\*?)\^?(.*)$/.exec(icons[name] ?? "") ?? [];
  for (const [key, value] of [["viewBox", "0 0 24 24"], ["class", "icon"], ["aria-hidden", "true"],
    ["focusable", "false"]]) {
    svg.setAttribute(key, value);
  }
  path.setAttribute("d", line);
  if (fill) path.setAttribute("class", "filled");
  if (width) path.setAttribute("stroke-width", width);
  svg.append(path);
  return svg;
}

drawings({
  play: "M8 5.5v13l11-6.5z*",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5L20 20",
  close: "M6 6l12 12M18 6L6 18",
  warning: "M12 4L2.8 20h18.4zM12 10v4.5M12 17.3v.01",
  settings:
    "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z" +
    "M9 14.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z",
  day: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  journal: "M6 4h12v16H6zM10 4v16",
  outbox: "M4 13v6h16v-6M12 15V4M7.5 8.5L12 4l4.5 4.5",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1 1-1.1 1.8M12 16.8v.01",
  note:
    "M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z" +
    "M19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z",
  share: "M12 15V3.5M8 7l4-4 4 4M7 11H5v10h14V11h-2",
  menu: "M4 7h16M4 12h16M4 17h16",
  back: "M14.5 5.5L8 12l6.5 6.5",
  plus: "M12 5v14M5 12h14",
});
