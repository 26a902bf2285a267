"""What all browsers can do with a tab. Scenarios use this alone, so that one script runs in each of them.

A subclass brings `evaluate`, `open`, `mouse`, `touch`, `keys`, `picture` and `close`; all else is made of these.
"""

import json
import time

PATIENCE = 30


class Problem(AssertionError):
    """What a scenario expected and did not get."""


# Elements are found by a CSS selector, or by what a person reads on them: `button=Sign in`, a regular expression
# over the accessible name of whatever can be pressed or filled in.
FINDING = r"""
const shown = (e) => e.checkVisibility ? e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0
  : e.getClientRects().length > 0;
const nameOf = (e) => {
  const by = e.getAttribute("aria-labelledby");
  const named = by && by.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
  const label = e.labels?.length ? [...e.labels].map((l) => l.textContent).join(" ") : "";
  return (e.getAttribute("aria-label") || named || label || e.textContent || e.getAttribute("placeholder") || e.title || "")
    .replace(/\s+/g, " ").trim();
};
const roots = () => { const open = [...document.querySelectorAll("dialog[open]")]; return open.length ? [open.at(-1), document] : [document]; };
const find = (locator) => {
  const named = /^(button|field|link|any)=(.*)$/s.exec(locator);
  if (!named) return [...document.querySelectorAll(locator)].find(shown) ?? null;
  const kinds = { button: "button,[role=button],[role=tab],[role=menuitem],[role=radio],[role=switch],summary,input[type=submit],a,label",
    link: "a", field: "input,textarea,select,[contenteditable]",
    any: "button,a,input,textarea,select,[role],summary,label,h1,h2,h3,p,li,span" };
  const wanted = new RegExp(named[2], "iu");
  for (const root of roots()) {
    const all = [...root.querySelectorAll(kinds[named[1]])].filter((e) => shown(e) && wanted.test(nameOf(e)));
    if (all.length) return all[0];
  }
  return null;
};
"""


class Unable(Exception):
    """What the driver of this browser can't do: the scenario is skipped, and says so."""


class Tab:
    #: Whether presses are touches of a finger.
    by_touch = False
    #: Whether `crash` ends the process of the page; else the tab is closed, and the page sees that it goes.
    kills = False

    def __init__(self):
        self.complaints = []
        #: When each locator was pressed last.
        self.pressed = {}

    # Brought by each browser.
    def open(self, address): raise NotImplementedError
    def evaluate(self, script, *, patience=PATIENCE): raise NotImplementedError
    def mouse(self, x, y): raise NotImplementedError
    def touch(self, x, y): self.mouse(x, y)
    def keys(self, *names): raise NotImplementedError
    def picture(self, file, whole=False): raise NotImplementedError
    def reload(self): self.evaluate("setTimeout(() => location.reload(), 0)")
    def close(self): raise NotImplementedError

    # What not every driver can do.
    def before(self, script): raise Unable("the driver of this browser runs nothing before a page does")
    def crash(self): raise Unable("the driver of this browser kills no tab")
    def fingers(self, kind, *places): raise Unable("the driver of this browser has no fingers")
    def hold(self, name, times=30): raise Unable("the driver of this browser holds no key")

    def twice(self, x, y):
        """A double click."""
        self.mouse(x, y)
        self.mouse(x, y)

    def ask(self, script, *arguments, patience=PATIENCE):
        """Runs the body of an async function, with `find` in reach, and `args`."""
        given = ", ".join(json.dumps(argument) for argument in arguments)
        return self.evaluate(f"(async (...args) => {{ {FINDING} {script} }})({given})", patience=patience)

    def wait(self, condition, *arguments, patience=PATIENCE, what=None):
        """Waits until an expression (with `find` and `args` in reach) is true in the page, and returns its value.

        It is asked from outside again and again: so it outlives a page that is loaded again, and a tab in the background.
        """
        end = time.monotonic() + patience
        pause = 0.01
        last = None
        while True:
            try:
                value = self.ask(f"const value = ({condition}); return value instanceof Node ? true : value;", *arguments)
                if value:
                    return value
                last = value
            except (Gone, Problem) as problem:
                # Gone, or not whole yet.
                last = problem
            if time.monotonic() > end:
                raise Problem(f"{what or condition} did not come; last: {last}\n{self.describe()}")
            time.sleep(pause)
            pause = min(0.05, pause * 1.3)

    def describe(self):
        """What can be seen, for the report of a failure."""
        try:
            text = self.evaluate("location.href + '\\n' + document.body.innerText.replace(/\\n+/g, ' | ').slice(0, 900)")
        except Exception as error:  # noqa: BLE001 - the failure to be told is another one
            text = repr(error)
        return f"--- what the page shows:\n{text}\n--- complaints: {self.complaints[-5:]}"

    def there(self, locator):
        return bool(self.ask("return Boolean(find(args[0]));", locator))

    def text(self, locator="body"):
        return self.ask("return find(args[0])?.innerText ?? null;", locator)

    def place(self, locator, patience=PATIENCE):
        """Where to press: the middle of an element that is seen, at rest and covered by nothing."""
        before = None
        end = time.monotonic() + patience
        while True:
            try:
                spot = self.ask("""
                    const e = find(args[0]);
                    if (!e) return { problem: "is not there" };
                    if (e.disabled || e.getAttribute("aria-disabled") === "true") return { problem: "is disabled" };
                    const box = e.getBoundingClientRect();
                    if (box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth) {
                      e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
                      if (e.getBoundingClientRect().top !== box.top) {
                        // WebKit finds what a pointer is on by what it drew some frames ago, and tells nobody when that has caught up.
                        for (let frame = 0; frame < 20; frame += 1) await new Promise((done) => requestAnimationFrame(done));
                        return { problem: "was scrolled to" };
                      }
                    }
                    const x = box.left + box.width / 2, y = box.top + box.height / 2;
                    const hit = document.elementFromPoint(x, y);
                    if (!hit || !(e.contains(hit) || hit.contains(e) || hit.closest("label")?.control === e)) {
                      // Below a bar, or outside of what scrolls inside the page.
                      e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
                      return { problem: `is covered by <${hit?.tagName} class="${hit?.className}">` };
                    }
                    return { x, y };""", locator)
            except Gone as gone:
                spot = {"problem": str(gone)}
            if "problem" not in spot and spot == before:
                return spot["x"], spot["y"]
            before = spot
            if time.monotonic() > end:
                raise Problem(f"{locator}: {spot.get('problem', 'does not rest')}\n{self.describe()}")
            time.sleep(0.02)

    def front(self):
        """Makes it the tab that is seen: one behind another draws nothing."""

    def press(self, locator, patience=PATIENCE):
        """Presses at a person's pace: what comes within 300 ms at one button of the page is one press."""
        time.sleep(max(0, self.pressed.get(locator, 0) + 0.4 - time.monotonic()))
        self.front()
        x, y = self.place(locator, patience)
        (self.touch if self.by_touch else self.mouse)(x, y)
        self.pressed[locator] = time.monotonic()

    def fill(self, locator, text):
        """Puts text into a field, as a paste does."""
        self.press(locator)
        self.ask("""const e = find(args[0]); e.focus(); e.select?.();
            if (!document.execCommand("insertText", false, args[1])) {
              e.value = args[1]; e.dispatchEvent(new InputEvent("input", { bubbles: true }));
            }""", locator, text)


class Gone(Exception):
    """The page in which something was asked is no more."""
