/** The words for entries of the outbox. */
import { categoryOf } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { dots } from "../ui/parts.js";

/** @param {Entry} entry */
export const entryText = ({ kind, body, session }) =>
  dots(session.what ?? body.action ?? (body.label || categoryOf(body.tags)?.name() || t(`one-${kind}`)),
    Number.isFinite(body.offset_ms) && fmt.offset(body.offset_ms));

texts({
  "discard": "Discard",
});
