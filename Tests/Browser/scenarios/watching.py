"""Two browsers that watch a session while others change its files (docs/http.md#events)."""

import json
import os
import shutil
import subprocess
import time

from driving.served import LATE_SET, LATE_SET_ID

from .case import PageCase
from .figures_of import note


class TwoWatch(PageCase):
    def setUp(self):
        super().setUp()
        self.served = self.serve()
        self.people = []
        for _ in range(2):
            browser = self.browse()
            person = self.person(self.served, browser)
            person.open_session(LATE_SET_ID)
            person.tab.wait("document.body.innerText.includes('Drone in D')")
            self.people.append(person)
        self.file = self.served.file(LATE_SET, "markers.jsonl")

    def changed(self, change, old, new, what):
        """Both show the file as it is now; how long that took is noted."""
        begin = time.monotonic()
        change()
        for person in self.people:
            person.tab.wait("document.body.innerText.includes(args[1]) && !document.body.innerText.includes(args[0])", old, new)
        note(f"file changed by {what}: both browsers show it", (time.monotonic() - begin) * 1000, "ms", 1000)

    def text(self, old, new):
        return self.file.read_text().replace(old, new)

    def test_editor_writes_a_new_file_in_its_place(self):
        def change():
            beside = self.file.with_name(".markers.jsonl.swp")
            beside.write_text(self.text("Drone in D", "Drone in E"))
            os.replace(beside, self.file)
        self.changed(change, "Drone in D", "Drone in E", "an editor")

    def test_editor_writes_into_the_file(self):
        text = self.text("Drone in D", "Drone in F")
        self.changed(lambda: self.file.write_text(text), "Drone in D", "Drone in F", "an editor, in place")

    def test_sed(self):
        self.changed(lambda: subprocess.run(["sed", "-i", "s/Drone in D/Drone in G/", self.file], check=True),
                     "Drone in D", "Drone in G", "sed -i")

    def test_syncthing_replaces_it(self):
        def change():
            beside = self.file.with_name(".syncthing.markers.jsonl.tmp")
            shutil.copy2(self.file, beside)
            beside.write_text(self.text("Drone in D", "Drone in A"))
            os.replace(beside, self.file)
        self.changed(change, "Drone in D", "Drone in A", "Syncthing")

    def test_conflict_copy(self):
        """A second version of the file is a problem that is told, and changes nothing that is shown."""
        copy = self.file.with_name("markers.sync-conflict-20260205-221503-K3JQ2PZ.jsonl")
        copy.write_text(self.text("Drone in D", "Drone in B"))
        for person in self.people:
            person.go(f"#/s/{LATE_SET_ID}/problems")
            person.tab.wait("document.body.innerText.match(/conflict/i)")
            self.assertNotIn("Drone in B", person.tab.text())

    def test_lines_are_appended_while_both_mark(self):
        """Another program writes beside them: all of it is there, once, in both."""
        lines = []
        for number in range(20):
            id = f"01KGN7000000000000000000{number:02}"
            lines.append(id)
            with self.file.open("a") as out:
                out.write(json.dumps({"id": id, "offset_ms": 1000 * number, "created_at": "2026-02-04T20:50:00.000Z",
                                      "source": "user", "label": f"beside {number}"}) + "\n")
            if number % 5 == 0:
                for person in self.people:
                    lines.append(person.mark("highlight"))
        for person in self.people:
            person.drained()
        self.served.soon(lambda: all(self.served.times(LATE_SET, id) == 1 for id in lines), "each once")
