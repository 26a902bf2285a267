"""What the bars of the benchmarks say of themselves; run by `make test`."""

import json
import unittest
from pathlib import Path

import results
from measuring import LEAST_NOISE, NOISE_OF_ONE_RUN, Bar, Figure, noise, plain, ratio


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


if __name__ == "__main__":
    unittest.main()
