"""Input as WebDriver has it; BiDi takes the same."""

from .tab import Unable

KEYS = {
    "Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Space": " ", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
    "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011", "End": "\ue010", "Shift": "\ue008",
    "Control": "\ue009", "Alt": "\ue00a", "Meta": "\ue03d",
}


def key_actions(name):
    *held, last = name.split("+") if len(name) > 1 else [name]
    held, last = [KEYS[key] for key in held], KEYS.get(last, last)
    steps = [{"type": "keyDown", "value": key} for key in [*held, last]]
    steps += [{"type": "keyUp", "value": key} for key in [last, *reversed(held)]]
    return [{"type": "key", "id": "keyboard", "actions": steps}]


def pointer_actions(x, y, kind):
    return [{"type": "pointer", "id": f"pointer-{kind}", "parameters": {"pointerType": kind}, "actions": [
        {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0},
        {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]


def hold_actions(name, times):
    """A key that goes down again and again, and up once: what was down already is repeated."""
    value = KEYS.get(name, name)
    steps = [{"type": "keyDown", "value": value}] * (times + 1) + [{"type": "keyUp", "value": value}]
    return [{"type": "key", "id": "keyboard", "actions": steps}]


class Fingers:
    """Fingers that stay down from one call to the next, as DevTools names what they do."""

    def __init__(self, kind, perform, most):
        self.kind, self.perform, self.most = kind, perform, most
        self.down = []

    def __call__(self, kind, *places):
        if kind == "touchCancel":
            raise Unable("the driver of this browser takes no finger away")
        if len(places) > self.most:
            raise Unable("the driver of this browser has one finger")
        steps = {}
        if kind == "touchEnd":
            steps = {number: [{"type": "pointerUp", "button": 0}] for number, place in enumerate(self.down) if place not in places}
            self.down = [place for place in self.down if place in places]
        else:
            for number, place in enumerate(places):
                move = {"type": "pointerMove", "x": round(place[0]), "y": round(place[1]), "duration": 0}
                if number >= len(self.down):
                    steps[number] = [move, {"type": "pointerDown", "button": 0}]
                elif self.down[number] != place:
                    steps[number] = [move]
            self.down = list(places)
        if steps:
            self.perform([{"type": "pointer", "id": f"finger-{number}", "parameters": {"pointerType": self.kind}, "actions": actions}
                          for number, actions in steps.items()])
