"""Rows of tests/faults/report.py with sums show the worst row, also in the committed page."""

import importlib.util
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Loaded by path, because tests/chaos has a module with this name too.
SPEC = importlib.util.spec_from_file_location("faults_report", ROOT / "tests/faults/report.py")
report = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(report)

PAGE = ROOT / "docs/faults.md"


def cell(library, fault, made, duplicates, **more):
    note = {"note": "a note"}
    return {"library": library, "version": "1", "fault": fault, "made": made, "duplicates": duplicates} | note | more


CELLS = [
    cell("saiban A", "restart_2ms", 100, 0),
    cell("saiban A", "burst", 7, 0),
    cell("saiban B", "restart_2ms", 200, 0),
    cell("saiban B", "burst", 8, 0),
    cell("saiban B, forgetful", "restart_2ms", 40, 20),
    cell("saiban C, at random", "fork", 50, 3, expected=2.5),
    {"library": "saiban C, at random", "version": "1", "fault": "burst", "note": "not possible"},
]


class Summary(unittest.TestCase):
    def row(self):
        """Returns the cells of the row that sums up saiban's rows, by fault."""
        page = report.page(CELLS, ["Rust 1"])
        first = next(line for line in page.splitlines() if line.startswith("| **saiban**"))
        cells = [text.strip() for text in first.strip("|").split(" | ")]
        return dict(zip(report.FAULTS, cells[1:], strict=True))

    def test_the_worst_row_is_named_and_the_others_are_added_up(self):
        self.assertEqual(self.row()["restart_2ms"], "**20 of 40**, B, forgetful<br>0 of 300, all others")

    def test_a_row_that_repeats_by_chance_is_shown_too(self):
        self.assertEqual(self.row()["fork"], "3 of 50 (expected 2.5), C, at random")

    def test_rows_without_duplicates_are_one_sum(self):
        self.assertEqual(self.row()["burst"], "0 of 15")

    def test_a_fault_that_no_row_could_have_is_not_applicable(self):
        self.assertEqual(self.row()["threads"], "n/a")

    def test_the_worst_share_comes_first(self):
        cells = [cell("saiban A", "burst", 1000, 30), cell("saiban B", "burst", 10, 9)]
        self.assertEqual(report.summary(cells, "burst"), "**9 of 10**, B<br>**30 of 1,000**, A")


class CommittedPage(unittest.TestCase):
    def test_the_first_row_has_every_cell_of_saibans_table_that_has_duplicates(self):
        lines = PAGE.read_text().splitlines()
        (summary,) = [line.split(" | ") for line in lines if line.startswith("| **saiban**")]
        rows = [line.strip("|").split(" | ") for line in lines if line.startswith("| saiban ")]
        self.assertGreater(len(rows), 5)
        repeating = [
            (column, text.strip())
            for row in rows
            for column, text in enumerate(row)
            if column and re.match(r"\**[1-9][\d,]* of ", text.strip())
        ]
        self.assertTrue(repeating, "one of the rows shows what is not promised")
        for column, text in repeating:
            self.assertIn(text, summary[column])


if __name__ == "__main__":
    unittest.main()
