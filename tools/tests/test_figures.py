"""The check finds figures in pages that differ from the benchmarks and the marked lines."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import figures
from collate import results

CASES = (
    results.Case("a.generate", "saiban", "1", (1.0, 2.5, 9.0)),
    results.Case("a.generate", "other-ids", "2", (1_234.0,)),
)
RUN = results.Run(machine={}, rounds=3, ms=1, languages=(results.Language("a", cases=CASES),))
FAULTS = """
| library | burst | fork ×4 |
| --- | --: | --: |
| ours, all rows below | 0 of 5 | 0 of 6 |
| other-ids (npm) · 2.0 | **3 of 1,000** | n/a |
| other-ids (npm), sorted · 2.0 | **4 of 1,000** | n/a |
"""
CODE = """
id = new_id()  # counted: Web, key, by hand
# counted: Web, API, by hand
def read(text):
    # A comment, a blank line and an attribute of Rust:

    #[route]
    return decode(text)
# end of count
id = 7
    // counted: Web, API, by hand
    let id = 8;
    // end of count
"""
SOURCES = figures.Sources(RUN, FAULTS, figures.counted(CODE))


class Figures(unittest.TestCase):
    def check(self, text):
        return figures.corrected(text, SOURCES)

    def test_the_figures_of_the_results_are_right(self):
        text = "2.50<!-- ns a.generate --> ns, and 1,234<!-- ns a.generate[other] --> ns"
        self.assertEqual(self.check(text), (text, []))

    def test_other_figures_are_wrong_and_corrected(self):
        text, problems = self.check("| 2.4<!-- ns a.generate --> | 99<!-- ns a.generate[other] --> |")
        self.assertEqual(text, "| 2.50<!-- ns a.generate --> | 1,234<!-- ns a.generate[other] --> |")
        self.assertEqual(len(problems), 2)

    def test_a_cell_of_the_table_of_faults_is_named_by_library_and_column(self):
        text = "3 of 1,000<!-- faults other-ids: burst --> and n/a<!-- faults other-ids: fork ×4 -->"
        self.assertEqual(self.check(text), (text, []))
        text, problems = self.check("0 of 1<!-- faults other-ids: burst -->")
        self.assertEqual((text, len(problems)), ("3 of 1,000<!-- faults other-ids: burst -->", 1))

    def test_a_share_is_a_rounded_percentage_of_a_cell(self):
        text = "<1 %<!-- share other-ids: burst --> and n/a<!-- share other-ids: fork ×4 -->"
        self.assertEqual(self.check(text), (text, []))
        self.assertEqual(self.check("0 %<!-- share other-ids: burst -->")[0], "<1 %<!-- share other-ids: burst -->")
        shares = {
            "0 of 10": "0 %",
            "10,000 of 10,000": "100 %",
            "45 of 200 (expected 3)": "22 %",
            "none made": "none made",
        }
        self.assertEqual({cell: figures.share(cell) for cell in shares}, shares)

    def test_marked_lines_are_counted(self):
        text = "1<!-- lines Web, key, by hand -->, 4<!-- lines Web, API, by hand -->, 0<!-- lines Web, client -->"
        self.assertEqual(self.check(text), (text, []))
        self.assertEqual(self.check("3<!-- lines Web, key, by hand -->")[0], "1<!-- lines Web, key, by hand -->")

    def test_a_source_that_was_not_measured_is_a_problem(self):
        for mark in (
            "<!-- ns a.nothing -->",
            "<!-- ns a.generate[nobody] -->",
            "<!-- faults nobody: burst -->",
            "<!-- lines Net, key -->",
        ):
            text, problems = self.check(f"1{mark}")
            self.assertEqual((text, len(problems)), (f"1{mark}", 1))

    def test_the_pages_have_the_figures_of_the_last_run(self):
        self.assertEqual(figures.check(["README.md"]), [])
