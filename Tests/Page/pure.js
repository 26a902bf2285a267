// What the page computes without touching an element. `node --experimental-default-type=module Tests/Page/pure.js`
import assert from "node:assert/strict";
import test from "node:test";

import { clock, sessionOffset, signal, within } from "../../page/base/flow.js";
import { categoryOf, ulid } from "../../page/base/record.js";
import { fmt, knows, t, texts } from "../../page/base/words.js";
import { overlayOf, without } from "../../page/data/overlay.js";
import { tagCounts } from "../../page/sessions/filters.js";
import { lastDays, leftToDo } from "../../page/sessions/summing.js";
import { following, nearest } from "../../page/play/order.js";
import { jumpFrom, silencesOf } from "../../page/play/silence.js";
import { number, plain, SCORE, ticks, typedScore, whole } from "../../page/practice/score.js";
import { nameOfPassage, paragraphsOf } from "../../page/sessions/segments.js";

// Debian's node has it in a module alone.
globalThis.crypto ??= (await import("node:crypto")).webcrypto;

const entry = (id, kind, more = {}) => ({ id, kind, state: "waiting", body: {}, ...more });

test("what waits is laid over what the server told", () => {
  const entries = [
    entry("A", "marker", { body: { offset_ms: 5 } }), entry("B", "voice_note", { state: "recording" }),
    entry("C", "marker.remove", { body: { record_id: "X" } }),
    entry("D", "marker.remove", { body: { record_id: "Y" }, state: "needs-you" }),
    entry("E", "action_request"), entry("F", "marker", { state: "at-server" }),
  ];
  const { pending, leaving, spoken } = overlayOf(entries);
  assert.deepEqual([...pending.keys()], ["A", "F"]);
  assert.equal(pending.get("A"), entries[0]);
  // What the server refused to remove stays where it is.
  assert.deepEqual([...leaving], ["X"]);
  assert.equal(spoken, "Brecording");
  assert.notEqual(spoken, overlayOf([entry("B", "voice_note")]).spoken);
  assert.deepEqual(overlayOf([]), { pending: new Map(), leaving: new Set(), spoken: "" });
});

test("rows whose removal waits are left out", () => {
  const rows = [{ id: "a" }, { id: "b" }];
  assert.deepEqual(without(rows, new Set(["b"])), [{ id: "a" }]);
  assert.equal(without(rows, new Set()), rows);
  assert.deepEqual(without([{ id: "app-a" }], new Set(["a"]), ({ id }) => id.slice(4)), []);
});

test("a score is written without its fraction, half to even", () => {
  const written = [0.5, 1.5, 2.5, 2.4999, 1e15].map((n) => Number(whole(n).replace(/\D/g, "")));
  assert.deepEqual(written, [0, 2, 2, 2, 1e15]);
});

test("a score is typed in digits or in groups of three", () => {
  const isScore = (typed) => new RegExp(`^(?:${SCORE})$`, "u").test(typed);
  for (const typed of ["1", "12,345,678", "1.000", "1 000 000", " 7 "]) assert.ok(isScore(typed), typed);
  for (const typed of ["", "0", "01", "1,2", "1,000.000", "1e3", "-3", "12.5"]) assert.ok(!isScore(typed), typed);
  assert.equal(number("12,345,678"), 12345678);
});

test("digits are grouped while a score is typed, and the caret stays", () => {
  // Before, after, caret, what was done; then text and caret, with the separator as a comma.
  const insert = (data) => ({ data, inputType: "insertText" }), paste = { inputType: "insertFromPaste" };
  const back = { inputType: "deleteContentBackward" }, forward = { inputType: "deleteContentForward" };
  for (const [before, after, caret, event, text, place] of [
    ["123", "1234", 4, insert("4"), "1,234", 5], ["1,234", "1,2345", 6, insert("5"), "12,345", 6],
    ["1,234", "91,234", 1, insert("9"), "91,234", 1], ["", "1234567", 7, insert("1234567"), "1,234,567", 9],
    ["1,234", "1,24", 3, back, "124", 2], ["12,345", "12345", 2, back, "1,345", 1],
    ["12,345", "12345", 2, forward, "1,245", 3], ["", "1.234.567", 9, paste, "1,234,567", 9],
    // What is no whole number stays as it was typed, to be refused.
    ["", "1,5", 3, paste, "1,5", 3], ["1", "1,", 2, insert(","), "1,", 2], ["1,", "1,5", 3, insert("5"), "1,5", 3],
    ["", "12.5", 4, insert("12.5"), "12.5", 4],
    ["123,456,789,012,345", "123,456,789,012,3456", 20, insert("6"), "123,456,789,012,3456", 20],
  ]) assert.deepEqual(typedScore(before, after, caret, event), { text, caret: place }, `${before} -> ${after}`);
  assert.deepEqual(["1,234", " 1.234 ", "1,5", "4.5 "].map(plain), ["1234", "1234", "1,5", "4.5"]);
});

test("scores are marked in at most four steps of 1, 2 or 5", () => {
  for (let best = 1; best < 1e12; best = Math.ceil(best * 1.37)) {
    const { step, steps } = ticks(best);
    assert.ok(steps >= 1 && steps <= 4, `${best}: ${steps} of ${step}`);
    assert.ok(step * steps >= best);
    assert.ok(["1", "2", "5"].includes(step.toExponential()[0]), `${step}`);
  }
});

test("the clock of a session stands in its pauses", () => {
  const start_time = "2026-02-04T20:00:00Z", at = (s) => Date.parse(start_time) + 1000 * s;
  const pauses = [{ offset_ms: 10_000, length_ms: 5000 }];
  const offsets = [5, 10, 12, 15, 20].map((s) => sessionOffset({ start_time, pauses }, at(s)));
  assert.deepEqual(offsets, [5000, 10_000, 10_000, 10_000, 15_000]);
  assert.equal(sessionOffset({ start_time, paused_at_ms: 3000 }, at(9)), 3000);
  assert.equal(sessionOffset({ start_time }, at(-9)), 0);
  assert.equal(sessionOffset({}), undefined);
});

test("ids are in the order in which they were made", () => {
  const ids = Array.from({ length: 2000 }, () => ulid(1000));
  assert.deepEqual([...ids].sort(), ids);
  assert.equal(new Set(ids).size, ids.length);
  assert.match(ids[0], /^[0-9A-HJKMNP-TV-Z]{26}$/);
});

test("of the answers the quickest tells the time", () => {
  const now = performance.now(), heard = [];
  const off = clock.learned.on((difference) => heard.push(Math.round(difference / 1000)));
  clock.learn(Date.now() + 60_000, now - 400, now);
  clock.learn(Date.now() + 90_000, now - 4000, now);
  off();
  assert.equal(Math.round((clock.now() - Date.now()) / 1000), 60);
  assert.equal(heard[0], 60);
});

test("a signal tells those who listen", () => {
  const { on, tell } = signal(), heard = [];
  const off = on((...values) => heard.push(values));
  tell(1, 2);
  off();
  tell(3);
  assert.deepEqual(heard, [[1, 2]]);
});

test("nothing is waited for without an end", async () => {
  assert.equal(await within(5, new Promise(() => {}), "late"), "late");
  await assert.rejects(within(5, new Promise(() => {}), new Error("late")), /late/);
  assert.equal(await within(1000, Promise.resolve("there")), "there");
});

test("a text has its values and its number", () => {
  assert.ok(!knows("eggs"));
  texts({ "eggs": { one: "{n} egg for {name}", other: "{n} eggs for {name}" } });
  assert.deepEqual([1, 2, 0].map((n) => t("eggs", { n, name: "Ann" })),
    ["1 egg for Ann", "2 eggs for Ann", "0 eggs for Ann"]);
  assert.equal(t("no such text"), "no such text");
});

test("the tags of markers are counted, but those of categories", () => {
  const rows = [{ tags: ["highlight", "low"] }, { tags: ["low", "bridge", "low"] }, {}, { tags: ["bridge"] }, { tags: ["a"] }];
  assert.deepEqual(tagCounts([...rows, { tags: ["texture_sample"] }]), [["bridge", 2], ["low", 2], ["a", 1]]);
  assert.deepEqual(tagCounts([]), []);
});

test("the last days have what began on them", () => {
  const now = new Date(2026, 2, 31, 0, 30).getTime(), at = (...parts) => new Date(2026, ...parts).toISOString();
  const days = lastDays([
    { start_time: at(2, 31, 0, 10), duration_ms: 5 }, { start_time: at(2, 30, 23, 59), duration_ms: 7 },
    { start_time: at(2, 30, 1), duration_ms: 1 }, { start_time: at(2, 2, 0, 0), duration_ms: 3 },
    { start_time: at(2, 1, 23), duration_ms: 100 }, { start_time: at(2, 20) }, { start_time: null, duration_ms: 9 },
  ], now);
  assert.equal(days.length, 30);
  assert.deepEqual(days.map(({ length }) => length).filter(Boolean), [3, 8, 5]);
  assert.deepEqual(days.map(({ at: noon }) => new Date(noon).getDate()).slice(-3), [29, 30, 31]);
});

test("what is left to do of a session is counted", () => {
  const markers = [{ label: "A" }, {}, { label: "" }], notes = [{ transcript_text: "x" }, {}];
  const actions = ["requested", "succeeded", "started"].map((status) => ({ status }));
  assert.deepEqual(leftToDo(markers, notes, actions), { names: 2, notes: 1, actions: 2 });
  assert.deepEqual(leftToDo([], [], []), { names: 0, notes: 0, actions: 0 });
});

test("offsets and sizes are short", () => {
  assert.deepEqual([0, 59_999, 60_000, 3_600_000, -5].map(fmt.offset), ["0:00", "0:59", "1:00", "1:00:00", "0:00"]);
  assert.equal(fmt.exact(61_250), "1:01.2");
  assert.equal(categoryOf(["x", "texture_sample"]).letter, "T");
  assert.equal(categoryOf(["x"]), undefined);
});

test("after a recording comes the next that does not overlap it", () => {
  const at = (id, start_offset_ms, duration_ms) => ({ id, path: "", start_offset_ms, duration_ms });
  const [first, second, review, last] = [at("a", 0, 3000), at("b", 3000, 2000), at("r", 0, 5000), at("z", 9000, 10)];
  const media = [last, review, second, first];
  const after = (item, end = item.start_offset_ms + item.duration_ms) => following(media, item, end)?.id;
  assert.deepEqual([first, second, review, last].map((item) => after(item)), ["b", "z", "z", undefined]);
  // Players and records measure lengths a little differently; one that overlaps by more is another take.
  assert.equal(after(first, 3400), "b");
  assert.equal(after(first, 3600), "z");
  // One without a length, and two that are shorter than that difference, end in the same way.
  assert.equal(following([{ id: "n", path: "" }], { id: "n", path: "" }, 0), undefined);
  const [short, other] = [at("s", 0, 100), at("t", 0, 100)];
  assert.equal(following([short, other], short, 100), undefined);
  assert.equal(nearest(media, first, 1000), first);
  assert.equal(nearest(media, first, 4000).id, "r");
  assert.equal(nearest(media, first, 8000).id, "z");
});

test("silences are three seconds and more of what is nearly nothing", () => {
  // Points of a second; blocks of four.
  const block = (...levels) => Int8Array.from(levels.flatMap((level) => [-level, level]));
  const found = (...blocks) => silencesOf(blocks, 4, 1000);
  assert.deepEqual(found(block(9, 0, 1, 2)), [[1000, 4000]]);
  assert.deepEqual(found(block(9, 0, 0, 9)), []);
  // From block to block, and not over one that is missing.
  assert.deepEqual(found(block(9, 9, 0, 0), block(0, 9, 0, 0), block(0, 0, 3, 0)), [[2000, 5000], [6000, 10_000]]);
  assert.deepEqual(found(block(0, 0, 0, 0), undefined, block(0, 0, 0)), [[0, 4000], [8000, 11_000]]);
  assert.deepEqual(found(block(9, 0, 0), undefined), []);
  assert.deepEqual(silencesOf([Int8Array.of(0, 3, 0, 0, 0, 0, 0, 0)], 4, 1000), [[1000, 4000]]);
  assert.deepEqual(found(), []);
});

test("silence is left out until shortly before its end, and no marker is skipped", () => {
  const silences = [[10_000, 20_000], [30_000, 33_000]], jump = (position, markers = {}) =>
    jumpFrom(position, silences, markers);
  assert.deepEqual([9999, 10_000, 15_000, 20_000, 30_000].map((position) => jump(position)),
    [undefined, 19_700, 19_700, undefined, 32_700]);
  // Where it went to it stays, and so does what is nearly there.
  assert.equal(jump(19_700), undefined);
  assert.equal(jump(19_300), undefined);
  // A marker cuts a silence in two, of which each is long enough or not.
  assert.equal(jump(10_000, { next: 15_000 }), 14_700);
  assert.equal(jump(15_000, { here: 15_000 }), 19_700);
  assert.equal(jump(10_000, { next: 12_000 }), undefined);
  assert.equal(jump(12_000, { here: 12_000, next: 14_000 }), undefined);
  assert.equal(jump(30_000, { here: 30_001 }), undefined);
  assert.equal(jump(10_000, { here: 4000, next: 25_000 }), 19_700);
});

test("what was said is in paragraphs", () => {
  const said = (offset_ms, duration_ms, speaker) => ({ id: "", offset_ms, duration_ms, speaker, text: "" });
  const of = (...segments) => paragraphsOf(segments).map((one) => one.map(({ offset_ms: offset }) => offset));
  assert.deepEqual(of(), []);
  assert.deepEqual(of(said(0, 1000), said(2499, 1000), said(4999, 1), said(5000)), [[0, 2499], [4999, 5000]]);
  assert.deepEqual(of(said(0, 1000, "Ann"), said(1100, 1000, "Bob"), said(2200, 1, "Bob")), [[0], [1100, 2200]]);
  // Two speak at once, and a line is broken.
  assert.deepEqual(of(said(0, 9000), said(1000, 10), { id: "", text: "" }), [[0, 1000, undefined]]);
  assert.equal(nameOfPassage("  one\n two "), "one two");
  assert.equal(nameOfPassage("one two three four", 12), "one two…");
  assert.equal(nameOfPassage(`a${"b".repeat(20)}`, 12), `a${"b".repeat(10)}…`);
  assert.equal(nameOfPassage(`${"b".repeat(10)}\u{1F600}\u{1F600}`, 12), `${"b".repeat(10)}…`);
});
