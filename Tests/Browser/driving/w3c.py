"""Input as WebDriver has it; BiDi takes the same."""

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
