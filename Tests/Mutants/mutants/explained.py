"""The survivors of which Tests/Mutants/explained.md says why no test can notice them, or why none should."""

import sys
from pathlib import Path

LIST = Path(__file__).resolve().parents[1] / "explained.md"


class Explained:
    @staticmethod
    def read(names):
        """The names that are explained; ends with an error where a reason is missing."""
        explained, name = {}, None
        for line in LIST.read_text().splitlines():
            if line.startswith("- "):
                name = line[2:].strip()
                explained[name] = ""
            elif name and line.startswith("  "):
                explained[name] += line.strip()
            elif line.strip():
                name = None
        for name, reason in explained.items():
            if not reason:
                sys.exit(f"error: {LIST.name} has no reason for: {name}")
            if name not in names:
                print(f"{LIST.name} explains what is not in the source any more: {name}")
        return explained
