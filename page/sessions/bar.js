/** The bar to mark with. */
import { h, icon } from "../base/dom.js";
import { clock } from "../base/flow.js";
import { categories } from "../base/record.js";
import { t, texts } from "../base/words.js";
import { pressButton } from "./marking.js";

/** The buttons of the categories, with speaking, writing and undoing. */
export function markBar(view) {
  const small = (name, label, key) => h(`button.quiet-button.${name}`,
    { type: "button", "aria-label": t(label), "aria-keyshortcuts": key },
    icon(name === "undo" ? "undo" : "digest"), h("span", t(label)), h("kbd", key));
  const write = pressButton(small("write", "mark-and-write", "B"), () => view.moment(),
    (moment) => view.marking.write(moment));
  const undo = pressButton(small("undo", "undo", "U"), () => ({}), () => view.marking.undo());
  return h("div.markbar", { role: "group", "aria-label": t("mark") },
    h("div.marks", categories.map((category) => view.marking.button(category))),
    h("div.mark-more", view.speaker.button, write, undo));
}

/** Where no clock runs and nothing plays, a mark has the time that is typed. */
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
  "mark": "Mark",
  "mark-and-write": "Write",
  "late-mark": "Add a marker at",
  "late-time": "Time of the marker, h:mm:ss",
});
