"""Each mutant fits the code: its text occurs once in its file."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import mutants


class Mutants(unittest.TestCase):
    def test_each_mutant_stands_in_its_file_exactly_once(self):
        found = mutants.load()
        self.assertGreater(len(found), 20)
        problems = [mutant.problem((mutants.ROOT / mutant.file).read_text()) for mutant in found]
        self.assertEqual([problem for problem in problems if problem], [])

    def test_each_mutant_has_a_unique_rule_and_a_test(self):
        found = mutants.load()
        self.assertEqual(len({(mutant.rule, mutant.file) for mutant in found}), len(found))
        for mutant in found:
            self.assertRegex(mutant.test, r"--(test|lib) ")

    def test_a_test_that_passes_without_the_rule_is_a_survivor(self):
        mutant = mutants.Mutant("a rule", "lib.rs", "1 + 1", "2", "nothing", {})

        def run(_folder, _mutant, *, run):
            return mutants.subprocess.CompletedProcess([], 0, "test result: ok. 1 passed; 0 failed\n" if run else "")

        cargo, mutants.cargo = mutants.cargo, run
        try:
            with tempfile.TemporaryDirectory() as name:
                (Path(name) / "lib.rs").write_text("let two = 1 + 1;")
                self.assertEqual(mutants.judge(Path(name), mutant, {}), (False, "SURVIVED: the test still passes"))
                self.assertEqual((Path(name) / "lib.rs").read_text(), "let two = 1 + 1;")
        finally:
            mutants.cargo = cargo


if __name__ == "__main__":
    unittest.main()
