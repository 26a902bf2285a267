/** The button that records a voice note; recorder.js has what it does. */
import { h, icon } from "../base/dom.js";
import { t } from "../base/words.js";
import { come, sayFailed } from "../ui/say.js";
import { pressButton } from "./marking.js";

export class Speaker {
  /**
   * @param {MarkingView} view
   * @param {import("./marking.js").Marking} marking
   */
  constructor(view, marking) {
    this.view = view;
    this.marking = marking;
    /** @type {import("./recorder.js").Recorder | undefined} */
    this.recorder = undefined;
    this.level = h("span.speak-level");
    this.words = h("span.mark-name", t("speak"));
    this.button = pressButton(h("button.speak", { type: "button", "aria-keyshortcuts": "R" }, icon("mic"), this.words,
      h("kbd", "R"), this.level),
      (/** @type {number} */ ago) => view.moment(ago), (moment) => this.toggle(moment));
  }

  /** The moment is that of the press, whenever the recorder comes. */
  async toggle(moment = this.view.moment()) {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      const { Recorder } = await come(import("./recorder.js"));
      this.recorder ??= new Recorder(this);
    } catch {
      sayFailed();
    }
    this.isLoading = false;
    if (!this.isClosed) await this.recorder?.toggle(moment);
  }

  close() {
    this.isClosed = true;
    this.recorder?.close();
  }
}
