"""What became of each mutant, kept as it is found, so that a run that was interrupted goes on."""

import json
import threading
from collections import Counter
from dataclasses import dataclass, field

SHOWN = 200


@dataclass
class Verdict:
    # The suites that ran, and how long they take undisturbed.
    asked: list = field(default_factory=list)
    seconds: float = 0
    complaint: str | None = None

    @property
    def isKilled(self):
        return self.complaint is not None

    @property
    def kind(self):
        if self.isKilled:
            return "timeout" if self.complaint.startswith("timeout") else "killed"
        return "survived" if self.asked else "unreached"


class Verdicts:
    def __init__(self, path):
        self.path = path
        self.known = {}
        self.lock = threading.Lock()
        if path.exists():
            for line in path.read_text().splitlines():
                self._take(**json.loads(line))

    def of(self, mutant):
        return self.known.get(mutant["name"], Verdict())

    def note(self, mutant, suite, complaint):
        """Takes in what a suite says of a mutant; nothing, if it does not notice it."""
        line = {"name": mutant["name"], "suite": suite.name, "seconds": suite.seconds, "complaint": complaint}
        with self.lock:
            self._take(**line)
            with self.path.open("a") as file:
                file.write(json.dumps(line) + "\n")
        if complaint:
            print(f"{mutant['number']} {mutant['name'][:SHOWN]}: {complaint[:SHOWN]}", flush=True)

    def _take(self, name, suite, seconds, complaint):
        verdict = self.known.setdefault(name, Verdict())
        verdict.asked.append(suite)
        verdict.seconds += seconds
        verdict.complaint = verdict.complaint or complaint

    def report(self, mutants, explained, module_of, path):
        """Prints numbers by module and the survivors, and writes these to a file; returns them."""
        counts, survivors = {}, []
        for mutant in mutants:
            verdict = self.of(mutant)
            kind = "explained" if mutant["name"] in explained else verdict.kind
            counts.setdefault(module_of(mutant), Counter())[kind] += 1
            if kind in ("survived", "unreached"):
                reason = f"passed {len(verdict.asked)} suites" if verdict.asked else "no test reaches it"
                survivors.append(
                    f"{mutant['file']}:{mutant['line']} ({mutant['change']} in {mutant['function']}; {reason})\n"
                    f"    {mutant['original']}\n    {mutant['mutated']}\n")
        kinds = ["killed", "timeout", "survived", "unreached", "explained"]
        print("\n" + f"{'module':<30}" + "".join(f"{kind:>11}" for kind in kinds))
        counts["together"] = sum(counts.values(), Counter())
        for module, numbers in counts.items():
            print(f"{module:<30}" + "".join(f"{numbers[kind]:>11}" for kind in kinds))
        path.write_text("".join(sorted(survivors)))
        print("\n" + "".join(sorted(survivors)) + f"{len(survivors)} survivors without an explanation: {path}")
        return survivors
