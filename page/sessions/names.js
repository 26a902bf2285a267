/** How a marker is called, and where it stands. */
import { t, texts } from "../base/words.js";

/** @param {{ label?: string }} record */
export const nameOf = (record) => record.label || t("no-name");
/**
 * Where it stands; what a broken line says instead of a number is the beginning.
 * @param {{ offset_ms?: number }} record
 */
export const placeOf = ({ offset_ms: offset }) => (Number.isFinite(offset) ? Math.max(0, Number(offset)) : 0);

texts({
  "no-markers-title": "No markers yet",
  "no-name": "(no name)",
});
