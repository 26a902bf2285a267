/** Days, as fields of a date have them. */
import { MINUTE } from "../base/flow.js";

/** A moment (ms) as the clock here shows it, in the spelling of date and time fields: `2026-02-04T20:15`. */
export const civil = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
export const dayOf = (time) => civil(Date.parse(time)).slice(0, 10);
