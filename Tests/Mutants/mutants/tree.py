"""The changed copy of the repository, and its build."""

import filecmp
import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = ROOT / "Tests" / "Mutants"
# Each round leaves out what the compiler did not take in the one before.
ROUNDS = 12
ERROR = re.compile(r"^(/\S+\.swift):(\d+):\d+: error: (.*)$", re.MULTILINE)


class Tree:
    def __init__(self, scratch, modules, tests, build):
        """`build` are the options that everybody's build of programs and tests has: in it the tests take a fifth of the time of others."""
        self.build_options = build
        self.scratch = scratch.resolve()
        self.path = self.scratch / "tree"
        self.staged = self.scratch / "staged"
        self.modules = modules
        # The test targets that are built.
        self.tests = tests
        self.dropped = self.scratch / "dropped.txt"
        self.path.mkdir(parents=True, exist_ok=True)
        self.dropped.touch()

    def build(self, seed, count):
        """Builds the tree with `count` switches; returns the mutants and the names of all sites."""
        for _ in range(ROUNDS):
            mutants, names = self._generate(seed, count)
            errors = self._compile()
            if not errors:
                self.fingerprint = self._fingerprint()
                return mutants, names
            refused = {mutant["name"] for error in errors for mutant in self._blamed(error, mutants)}
            if not refused:
                sys.exit("error: the changed tree does not build, and no mutant is to blame:\n" + "\n".join(map(str, errors)))
            with self.dropped.open("a") as file:
                file.writelines(name + "\n" for name in sorted(refused))
            print(f"left out, since the compiler does not take them: {len(refused)}", flush=True)
        sys.exit(f"error: the changed tree did not build after {ROUNDS} rounds")

    def _generate(self, seed, count):
        if self.staged.exists():
            shutil.rmtree(self.staged)
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, check=True, capture_output=True).stdout
        for name in sorted(set(listed.decode().split("\0"))):
            if name and (ROOT / name).is_file():
                (self.staged / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.staged / name, follow_symlinks=False)

        # A change may leave something unused, which is a warning; that is no reason to do without it.
        package = self.staged / "Package.swift"
        text = package.read_text().replace(".treatAllWarnings(as: .error),", "")
        text += f"package.targets.removeAll {{ $0.type == .test && !{json.dumps(sorted(self.tests))}.contains($0.name) }}\n"
        package.write_text(text)
        for module in {"/".join(module.split("/")[:2]) for module in self.modules}:
            shutil.copy(HERE / "MutantSwitch.swift", self.staged / module)
        files = sorted(
            str(file.relative_to(self.staged)) for module in self.modules
            for file in (self.staged / module).rglob("*.swift") if file.name != "MutantSwitch.swift")
        generator = self.scratch / "generator" / "debug" / "generate-mutants"
        text = subprocess.run(
            [generator, self.staged, str(seed), str(count), self.dropped, *files], check=True, capture_output=True).stdout
        answer = json.loads(text)
        # For who switches one on by hand.
        (self.scratch / "mutants.json").write_text(json.dumps(answer["mutants"], indent=1, ensure_ascii=False))
        self._synchronise()
        return answer["mutants"], answer["names"]

    def _synchronise(self):
        """Brings the tree to what is staged, and leaves alone what is the same, so that little is built again."""
        wanted = {file.relative_to(self.staged) for file in self.staged.rglob("*") if file.is_symlink() or file.is_file()}
        for file in list(self.path.rglob("*")):
            name = file.relative_to(self.path)
            if name.parts[0] != ".build" and name.name != "Package.resolved" and not file.is_dir() and name not in wanted:
                file.unlink()
        for name in wanted:
            old, new = self.path / name, self.staged / name
            if old.is_file() and not new.is_symlink() and filecmp.cmp(old, new, shallow=False):
                continue
            old.parent.mkdir(parents=True, exist_ok=True)
            old.unlink(missing_ok=True)
            shutil.copy2(new, old, follow_symlinks=False)
            if not old.is_symlink():
                old.touch()
        python = self.path / ".build" / "python"
        if not python.exists() and (ROOT / ".build" / "python").exists():
            python.parent.mkdir(exist_ok=True)
            python.symlink_to(ROOT / ".build" / "python")

    def _compile(self):
        """Builds; returns the errors as (file, line, text). The changed modules come first: they fail soonest."""
        print("building the changed tree", flush=True)
        targets = sorted({module.split("/")[1] for module in self.modules})
        alone = [option for option in self.build_options if option != "--build-tests"]
        for arguments in [*([*alone, "--target", target] for target in targets), self.build_options]:
            built = subprocess.run(
                ["swift", "build", *arguments], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if built.returncode == 0:
                continue
            errors = {(file, int(line), text) for file, line, text in ERROR.findall(built.stdout)}
            if not errors:
                sys.exit("error: the changed tree does not build\n" + "\n".join(built.stdout.splitlines()[-30:]))
            return errors
        return None

    def _blamed(self, error, mutants):
        """The mutants on the line of an error; else those of the function around it."""
        file, line, _ = error
        here = [mutant for mutant in mutants if self.path / mutant["file"] == Path(file)]
        return [mutant for mutant in here if mutant["line"] <= line <= mutant["lastLine"]] or [
            mutant for mutant in here if mutant["functionLine"] <= line <= mutant["functionLastLine"]]

    @property
    def binaries(self):
        return self.path / ".build" / "release"

    def _fingerprint(self):
        """What was built: verdicts of other sources and tests say nothing."""
        summary = hashlib.sha256()
        for file in sorted(file for top in ("Sources", "Tests") for file in (self.staged / top).rglob("*.*")):
            if file.is_file() and HERE.name not in file.parts:
                summary.update(str(file.relative_to(self.staged)).encode() + file.read_bytes())
        return summary.hexdigest()[:12]
