/** The bar to mark with. */
import { h, icon } from "../base/dom.js";
import { clock } from "../base/flow.js";
import { categories } from "../base/record.js";
import { t, texts } from "../base/words.js";
import { pressButton } from "./marking.js";

/**
 * The buttons of the categories, and speaking.
 * @param {SessionView} view
 */
export function markBar(view) {
  return h("div.markbar", { role: "group", "aria-label": t("mark") },
    categories.map((category) => view.marking.button(category)), view.speaker.button);
}

/**
 * Marks with words; its place is in the title.
 * @param {SessionView} view
 */
export function writeButton(view) {
  const about = { type: "button", "aria-label": t("mark-and-write"), title: t("mark-and-write") };
  return pressButton(h("button.icon-button", { ...about, "aria-keyshortcuts": "B" }, icon("digest")),
    (/** @type {number} */ ago) => view.moment(ago), (moment) => view.marking.write(moment));
}

/**
 * Where no clock runs and nothing plays, a mark has the time that is typed.
 * @param {SessionView} view
 */
export function lateBar(view) {
  const time = h("input", { class: "late-time", inputmode: "numeric", required: true, placeholder: "0:00",
    pattern: "(\\d+:)?[0-5]?\\d:[0-5]\\d", autocomplete: "off", "aria-label": t("late-time") });
  return h("form.markbar.late", { onsubmit: (event) => {
    event.preventDefault();
    const offset = 1000 * time.value.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
    view.marking.write({ offset, at: clock.now() });
  } }, h("span", t("late-mark")), time, h("button.primary", t("mark")));
}

texts({
  "late-mark": "Add a marker at",
  "late-time": "Time of the marker, h:mm:ss",
  "mark": "Mark",
  "mark-and-write": "Write",
});
