"""What the bars of the benchmarks say of themselves, and what their client takes for a right answer; run by `make test`."""

import json
import re
import socket
import tempfile
import threading
import unittest
from pathlib import Path

import documentation
import results
import sections
import serving
from load import Answer, Client, Request
from measuring import LEAST_NOISE, NOISE_OF_ONE_RUN, Bar, Failed, Figure, noise, plain, ratio
from workplace import Workplace

DOCS = Path(__file__).parent.parent.parent / "docs"


class Bars(unittest.TestCase):
    def test_a_bar_is_met_missed_within_its_noise_or_missed(self):
        for seen, verdict in ((0.9, "met"), (1.0, "met"), (1.04, "noise"), (1.06, "missed")):
            self.assertEqual(Bar("a", seen, at_most=1, noise=0.05).verdict(), verdict, seen)
        for seen, verdict in ((11, "met"), (10, "met"), (9.6, "noise"), (9.4, "missed")):
            self.assertEqual(Bar("a", seen, at_least=10, noise=0.05).verdict(), verdict, seen)

    def test_a_known_miss_is_accepted_until_it_grows_by_more_than_its_noise(self):
        for seen, verdict in ((1.2, "accepted"), (1.5, "accepted"), (1.57, "accepted"), (1.6, "missed")):
            self.assertEqual(Bar("a", seen, at_most=1, noise=0.05).verdict(1.5), verdict, seen)
        for seen, verdict in ((5.1, "accepted"), (4.9, "accepted"), (4.7, "missed")):
            self.assertEqual(Bar("a", seen, at_least=10, noise=0.05).verdict(5.1), verdict, seen)

    def test_a_bar_of_nothing_at_all_allows_what_can_not_be_told_from_it(self):
        self.assertEqual(Bar("a", 0.01, at_most=0, resolution=0.01).verdict(), "noise")
        self.assertEqual(Bar("a", 0.02, at_most=0, resolution=0.01).verdict(), "missed")

    def test_runs_that_are_all_alike_have_the_least_noise_and_one_run_has_more(self):
        self.assertEqual(noise(plain, [Figure("a", [2.0] * 5)]), LEAST_NOISE)
        self.assertEqual(noise(plain, [Figure("a", [2.0])]), NOISE_OF_ONE_RUN)
        self.assertEqual(noise(ratio, [Figure("a", [2.0] * 3), Figure("b", [1.0])]), NOISE_OF_ONE_RUN)

    def test_noise_grows_with_the_spread_and_what_is_run_in_turn_shares_it(self):
        slow = [1.0, 1.1, 0.9, 1.5, 1.0, 1.2, 0.8]
        alone = noise(ratio, [Figure("a", slow), Figure("b", slow)])
        turn = object()
        together = noise(ratio, [Figure("a", slow, turn=turn), Figure("b", slow, turn=turn)])
        self.assertGreater(alone, 0.1)
        self.assertEqual(together, LEAST_NOISE)

    def test_the_table_of_misses_names_each_with_its_verdict(self):
        values = {
            "section": "index", "name": "to DuckDB", "unit": "×", "seen": 1.4, "at_most": 1, "at_least": None,
            "noise": 0.04, "accepted": 1.35, "verdict": "accepted"}
        lines = results.missed_lines([values])
        self.assertEqual(
            lines[1].split(), "index to DuckDB ≤ 1.00 × 1.40 × ±4% 1.35 × missed as is known".split())

    def test_every_accepted_miss_says_of_what_how_far_and_why(self):
        accepted = json.loads((Path(__file__).parent.parent / "accepted.json").read_text())
        for miss in accepted:
            self.assertEqual(sorted(miss), ["bar", "section", "seen", "why"])
            self.assertGreater(miss["seen"], 0)
            self.assertTrue(miss["why"])
        self.assertEqual(len({(miss["section"], miss["bar"]) for miss in accepted}), len(accepted))

    def test_a_section_is_chosen_by_its_name_or_with_all_that_begin_with_it(self):
        self.assertEqual(sections.named(["mark", "index"]), ["mark", "index"])
        http = sections.named(["http"])
        self.assertEqual(http, [name for name in sections.ALL if name.startswith("http-")])
        self.assertGreater(len(http), 1)
        self.assertEqual(sections.named(["http-put", "http"])[0], "http-put")
        self.assertEqual(len(sections.named(["http-put", "http"])), len(http))
        for name in ("htt", "http-pu", "nothing"):
            self.assertRaises(KeyError, sections.named, [name])

    def test_ids_are_ulids_in_the_order_of_their_numbers(self):
        ids = [serving.new_id(number) for number in (0, 31, 32, 1 << 40)]
        self.assertEqual(ids, sorted(ids))
        self.assertTrue(all(len(id) == 26 and set(id) <= set(serving.DIGITS) for id in ids))

    def test_a_run_replaces_those_tables_of_the_page_that_it_has_measured(self):
        page = "".join(f"{begin}\nold\n{documentation.END}\n" for begin in documentation.PARTS)
        run = {
            "kind": "run", "date": "today", "commit": "a", "processor": "b", "cores": 2, "memory_gib": 1, "kernel": "c",
            "scale": 1, "load": 0.0}
        sections = [
            {"kind": "bar", "section": section, "name": f"of {section}", "unit": "×", "seen": 1.0, "at_most": 2,
             "at_least": None, "is_met": True, "verdict": "met"}
            for section in ("mark", "http-put")]
        both = documentation.page([run, *sections], page, "page")
        self.assertNotIn("old", both)
        self.assertLess(both.index("of mark"), both.index(documentation.END))
        self.assertGreater(both.index("of http-put"), both.index(documentation.END))
        for kept, section in (("of mark", sections[1]), ("of http-put", sections[0])):
            again = documentation.page([run, section], both.replace(kept, "kept"), "page")
            self.assertEqual(again.count("kept"), 1)
        self.assertEqual(documentation.page([run], both, "page"), both)

    def test_the_measurements_have_a_place_for_each_part_and_the_bars_that_are_promised(self):
        measurements = (DOCS / "measurements.md").read_text()
        for begin in documentation.PARTS:
            self.assertEqual(measurements.count(begin), 1, begin)
        rows = re.findall(r"^\| ([a-z-]+) \| .* \|(.*)\|$", (DOCS / "performance.md").read_text(), re.MULTILINE)
        promised = {section: bars for section, bars in rows if section != "section"}
        self.assertEqual(list(promised), list(sections.ALL))
        measured = re.findall(r"^\| ([a-z-]+) \| .* \| ([≤≥]) ([0-9.]+)(.*) \| .* \| .* \|$", measurements, re.MULTILINE)
        self.assertGreater(len(measured), 50)
        for section, sign, number, unit in measured:
            self.assertRegex(promised[section], rf"{sign} {float(number):g}{re.escape(unit)}(?![0-9.])", section)


class Answers(unittest.TestCase):
    """Whether http_load tells a right answer from a wrong one, so that a fast wrong one is no figure."""

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.own = cls.scratch = Path(cls.directory.name)
        cls.workplace = Workplace(cls.own, cls.own, 1, 1)
        cls.workplace.own = cls.own
        cls.expected = cls.own / "expected"
        cls.expected.write_bytes(b"0123456789")

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def asked(self, reply, answer, count=3):
        """What a run says of a server that answers every request with that."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            threading.Thread(target=serve, args=(listener, reply), daemon=True).start()
            return Client(self.workplace, listener.getsockname()[1], [Request("/", answer=answer)]).count(count)

    def test_answers_that_are_what_they_must_be_are_counted(self):
        whole = Answer.part(self.expected, 2, 4)
        for reply in (
            b"HTTP/1.1 206 Partial Content\r\nContent-Length: 4\r\n\r\n2345",
            b"HTTP/1.1 206 x\r\ncontent-length:4\r\n\r\n2345",
            b"HTTP/1.1 206 x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n2\r\n003;a=b\r\n345\r\n0\r\n\r\n",
            b"HTTP/1.1 206 x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n2345\r\n0\r\nA: b\r\n\r\n",
        ):
            load = self.asked(reply, whole)
            self.assertEqual((load.statuses, load.size), ([206] * 3, 12), reply)
            self.assertTrue(all(0 < latency <= load.wall for latency in load.latencies))
        self.assertEqual(self.asked(b"HTTP/1.1 304 x\r\nContent-Length: 7\r\n\r\n", Answer.length(0, 304)).size, 0)
        self.assertEqual(self.asked(b"HTTP/1.1 200 x\r\nContent-Length: 0\r\n\r\n", Answer()).size, 0)

    def test_answers_that_differ_end_the_run(self):
        part = Answer.part(self.expected, 2, 4, 200)
        begin = Answer((200,), "start", self.expected, 0, 3)
        for reply, answer in (
            (b"HTTP/1.1 206 x\r\nContent-Length: 4\r\n\r\n2345", part),
            (b"HTTP/1.1 200 x\r\nContent-Length: 4\r\n\r\n2344", part),
            (b"HTTP/1.1 200 x\r\nContent-Length: 3\r\n\r\n234", part),
            (b"HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\n23456", part),
            (b"HTTP/1.1 200 x\r\nContent-Length: 0\r\n\r\n", part),
            (b"HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n2346\r\n0\r\n\r\n", part),
            (b"HTTP/1.1 200 x\r\nContent-Length: 4\r\n\r\n0224", begin),
            (b"HTTP/1.1 200 x\r\nContent-Length: 2\r\n\r\n01", begin),
            (b"HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\n01234", Answer.length(4)),
            (b"HTTP/1.1 503 x\r\nContent-Length: 0\r\n\r\n", Answer()),
            (b"SSH-2.0\r\n\r\n", Answer()),
        ):
            with self.subTest(reply):
                self.assertRaises(Failed, self.asked, reply, answer)
        self.assertEqual(self.asked(b"HTTP/1.1 200 x\r\nContent-Length: 4\r\n\r\n0129", begin).statuses, [200] * 3)


def serve(listener, reply):
    connection, _ = listener.accept()
    with connection:
        while connection.recv(65536):
            connection.sendall(reply)


if __name__ == "__main__":
    unittest.main()
