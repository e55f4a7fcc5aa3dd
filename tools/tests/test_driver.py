"""tools/test.py: the counts of a step, the selection of steps, and the end of a run."""

import contextlib
import io
import os
import shlex
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import check_tree
import counting
import paths
import steps
import test as driver
from counting import Counts
from steps import Step, check, no_tests


class Judge(unittest.TestCase):
    def judge(self, exit_code, output, count=counting.closing):
        return driver.judge(Step("name", "group", "true", count=count), exit_code, output)

    def test_good_run_has_no_reason(self):
        self.assertEqual(self.judge(0, "3 passed, 0 failed, 1 skipped\n"), (Counts(3, 0, 1), ""))

    def test_failed_command_has_failed_at_least_once(self):
        self.assertEqual(self.judge(1, "3 passed, 0 failed, 0 skipped\n"), (Counts(3, 1, 0), "exit code 1"))
        self.assertEqual(self.judge(1, "3 passed, 4 failed, 0 skipped\n")[0], Counts(3, 4, 0))

    def test_output_without_result_is_a_failure(self):
        counts, reason = self.judge(0, "hello\n")
        self.assertEqual(counts, Counts(failed=1))
        self.assertIn("no test result", reason)

    def test_zero_tests_are_a_failure(self):
        self.assertEqual(self.judge(0, "0 passed, 0 failed, 2 skipped\n"), (Counts(0, 1, 2), "no test passed"))

    def test_failures_count_though_the_command_exits_with_zero(self):
        counts, reason = self.judge(0, "1 passed, 1 failed, 0 skipped\n")
        self.assertEqual(counts, Counts(1, 1, 0))
        self.assertTrue(reason)

    def test_check_is_one_test(self):
        self.assertEqual(self.judge(0, "", check), (Counts(1, 0, 0), ""))
        self.assertEqual(self.judge(2, "", check), (Counts(0, 1, 0), "exit code 2"))

    def test_preparation_counts_only_when_it_fails(self):
        self.assertEqual(self.judge(0, "", no_tests), (Counts(), ""))
        self.assertEqual(self.judge(1, "", no_tests)[0], Counts(failed=1))


class Select(unittest.TestCase):
    STEPS = (Step("a", "one", "true", ("rust",)), Step("b", "two", "true", ("rust", "c")), Step("c", "two", "true"))

    def names(self, wanted, languages):
        return tuple([step.name for step in part] for part in driver.select(self.STEPS, wanted, languages))

    def test_groups_and_names_choose(self):
        self.assertEqual(self.names([], ["rust", "c"]), (["a", "b", "c"], []))
        self.assertEqual(self.names(["two"], ["rust", "c"]), (["b", "c"], []))
        self.assertEqual(self.names(["a"], ["rust", "c"]), (["a"], []))

    def test_languages_leave_out_by_name(self):
        self.assertEqual(self.names([], ["rust"]), (["a", "c"], ["b"]))


class Run(unittest.TestCase):
    def run_main(self, run_steps, arguments=(), **environment):
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            stack.enter_context(mock.patch.object(driver, "STEPS", tuple(run_steps)))
            stack.enter_context(mock.patch.object(driver, "VERIFY", ()))
            stack.enter_context(
                mock.patch.dict(os.environ, {"CARGO_TARGET_DIR": folder, "LANGUAGES": "", "STEPS": "", **environment})
            )
            printed = stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
            return driver.main(list(arguments)), printed.getvalue()

    def test_failure_does_not_stop_the_run_and_the_last_line_is_the_sum(self):
        code, printed = self.run_main(
            [
                Step("bad", "g", "echo 2 passed, 1 failed, 0 skipped; exit 3"),
                Step("good", "g", "echo 4 passed, 0 failed, 1 skipped"),
            ]
        )
        self.assertEqual(code, 1)
        self.assertEqual(printed.splitlines()[-1], "6 passed, 1 failed, 1 skipped")
        self.assertIn("FAILED: exit code 3", printed)

    def test_a_failed_test_is_named_however_much_was_printed_after_it(self):
        lines = [
            "test a ... FAILED",
            "failures:",
            "---- a stdout ----",
            "thread 'a' panicked at it.rs:3",
            "left: 1",
            "failures:",
            "FAILED tests/test_b.py::c - AssertionError",
            *("test d ... ok" for _ in range(200)),
        ]
        code, printed = self.run_main(
            [Step("bad", "g", "printf '%s\\n' " + " ".join(map(shlex.quote, lines)) + "; exit 1")]
        )
        self.assertEqual(code, 1)
        failed = printed[printed.index("what failed:") :]
        for line in (lines[2], lines[3], lines[4], lines[6]):
            self.assertIn(line, failed)
        self.assertNotIn("test d", failed)

    def test_good_run_exits_with_zero_and_prints_one_closing_line(self):
        code, printed = self.run_main([Step("good", "g", "echo 4 passed, 0 failed, 0 skipped")])
        self.assertEqual(code, 0)
        self.assertEqual(len([line for line in printed.splitlines() if counting.closing(line)]), 1)

    def test_a_run_warns_of_a_disk_that_may_become_full_and_a_failure_repeats_it(self):
        for command, free, warnings in (("true", 30e9, 0), ("true", 2e9, 1), ("false", 30e9, 0), ("false", 2e9, 2)):
            with mock.patch.object(driver.shutil, "disk_usage", return_value=mock.Mock(free=free)):
                _, printed = self.run_main([Step("step", "g", command, count=check)])
            with self.subTest(command, free=free):
                self.assertEqual(printed.count("DISK: 2.0 GB are free"), warnings)

    def test_missing_toolchain_is_a_failure_that_names_the_language(self):
        code, printed = self.run_main([Step("tests", "g", "true", ("kotlin",), ("no-such-program",), check)])
        self.assertEqual(code, 1)
        self.assertIn("kotlin: no no-such-program", printed)
        self.assertEqual(printed.splitlines()[-1], "0 passed, 1 failed, 0 skipped")

    def test_steps_left_out_by_languages_are_named(self):
        run_steps = [
            Step("one", "g", "true", ("rust",), count=check),
            Step("two", "g", "false", ("swift",), count=check),
        ]
        code, printed = self.run_main(run_steps, LANGUAGES="rust")
        self.assertEqual(code, 0)
        self.assertRegex(printed, "NOT RUN, because LANGUAGES=.*: two")

    def test_steps_that_do_not_stand_alone_run_side_by_side(self):
        with tempfile.TemporaryDirectory() as folder:
            # Each step waits until the other has started.
            mine, other = (shlex.quote(f"{folder}/{name}") for name in ("one", "two"))
            meet = "touch {}; for i in $(seq 100); do [ -e {} ] && exit 0; sleep 0.1; done; exit 1"
            pair = (
                Step("one", "group", meet.format(mine, other), count=check),
                Step("two", "group", meet.format(other, mine), count=check),
            )
            self.assertEqual(self.run_main(pair)[0], 0)

    def test_a_step_that_stands_alone_has_nothing_beside_it(self):
        with tempfile.TemporaryDirectory() as folder:
            mark = shlex.quote(f"{folder}/mark")
            three = (
                Step("before", "group", f"touch {mark}; sleep 0.5; rm {mark}", count=check),
                Step("alone", "group", f"[ ! -e {mark} ]", count=check, is_alone=True),
                Step("after", "group", f"[ ! -e {mark} ]", count=check),
            )
            self.assertEqual(self.run_main(three)[0], 0)

    def test_only_a_step_that_needs_no_build_runs_beside_one(self):
        with tempfile.TemporaryDirectory() as folder:
            building, free = (shlex.quote(f"{folder}/{name}") for name in ("building", "free"))
            until = "for i in $(seq 100); do [ -e {} ] && break; sleep 0.1; done"
            four = (
                Step(
                    "build",
                    "g",
                    f"touch {building}; {until.format(free)}; rm {building} {free}",
                    count=check,
                    is_build=True,
                ),
                Step("needy", "g", f"[ ! -e {building} ]", count=check),
                Step("free", "g", f"{until.format(building)}; touch {free}", count=check, needs_build=False),
                Step("alone", "g", f"[ ! -e {building} ]", count=check, is_alone=True),
            )
            self.assertEqual(self.run_main(four)[0], 0)

    def test_steps_that_did_not_run_after_a_failed_preparation_are_named(self):
        two = (
            Step("build", "setup", "false", count=no_tests, is_alone=True, is_preparation=True),
            Step("rust", "rust", "true", count=check),
        )
        code, printed = self.run_main(two)
        self.assertEqual(code, 1)
        self.assertIn("NOT RUN, because a preparation has failed: rust", printed)

    def test_the_closing_table_is_slowest_first(self):
        two = (Step("quick", "group", "true", count=check), Step("slow", "group", "sleep 0.3", count=check))
        _, printed = self.run_main(two)
        table = printed[printed.index("step ") :]
        self.assertLess(table.index("slow"), table.index("quick"))

    def test_unknown_names_are_refused(self):
        self.assertEqual(self.run_main([], ["nothing"])[0], 2)
        self.assertEqual(self.run_main([], LANGUAGES="cobol")[0], 2)

    def test_a_command_past_its_time_is_ended(self):
        with mock.patch.object(driver, "HEARTBEAT_S", 0.01):
            code, printed = self.run_main([Step("slow", "g", "sleep 600", count=check, timeout_s=0)])
        self.assertEqual(code, 1)
        self.assertIn("without a result", printed)


class Declared(unittest.TestCase):
    def test_step_names_differ_and_languages_are_known(self):
        names = [step.name for step in steps.STEPS]
        self.assertEqual(len(names), len(set(names)))
        for step in steps.STEPS:
            self.assertLessEqual(set(step.languages), set(steps.LANGUAGES), step.name)

    def test_every_language_has_a_step(self):
        self.assertLessEqual(set(steps.LANGUAGES), {step.group for step in steps.STEPS})


class Tree(unittest.TestCase):
    def test_complaints_name_the_line(self):
        text = "fine\n// TO" + "DO later\n" + str(check_tree.ROOT) + "/core\n"
        found = check_tree.complaints("a.rs", text.encode())
        self.assertEqual([line.split(": ")[0] for line in found], ["a.rs:2", "a.rs:3"])

    def test_size_and_lock_files(self):
        self.assertEqual(len(check_tree.complaints("a", b"a" * (1 << 20))), 0)
        self.assertEqual(len(check_tree.complaints("a", b"a" * (1 << 20) + b"a")), 1)
        self.assertEqual(len(check_tree.complaints("node/package-lock.json", b'"resolved": "https://host/x"')), 1)


class Change(unittest.TestCase):
    EVERY = (*steps.STEPS, *steps.VERIFY)

    def chosen(self, *files):
        with (
            mock.patch.object(driver, "changed_files", return_value=(list(files), "files")),
            contextlib.redirect_stdout(io.StringIO()) as printed,
        ):
            chosen, left_out = driver.of_change(list(self.EVERY))
        self.assertEqual({*chosen, *left_out}, set(self.EVERY))
        return {step.name for step in chosen}, printed.getvalue()

    def test_rules_name_steps_that_there_are(self):
        known = {name for step in self.EVERY for name in (step.name, step.group)} | set(paths.EVERYTHING)
        self.assertEqual({name for _, names in paths.RULES for name in names} - known, set())

    def test_every_rule_fits_a_file_that_there_is_and_that_no_rule_before_it_takes(self):
        files = driver.git("ls-files").splitlines()
        taken = {paths.rule_of(file) for file in files}
        self.assertEqual([rule for rule in paths.RULES if rule not in taken], [])

    def test_a_page_of_the_documentation_needs_no_build(self):
        quick = {step.name for step in self.EVERY if step.is_quick}
        self.assertEqual(self.chosen("docs/faults.md", "ARCHITECTURE.md")[0], quick)

    def test_builds_for_some_steps_are_run_with_the_preparations(self):
        chosen, _ = self.chosen("docs/service.md")
        self.assertLessEqual({"setup", "build", "grpc clients", "status page", "tree"}, chosen)
        self.assertNotIn("rust", chosen)

    def test_changes_of_the_core_and_of_files_without_a_rule_run_everything(self):
        for file in ("core/src/lib.rs", "new/file", "Cargo.lock", "tools/test.py"):
            chosen, printed = self.chosen("docs/faults.md", file)
            self.assertEqual(chosen, {step.name for step in self.EVERY})
            self.assertIn(f"{file} can break every step", printed)

    def test_without_a_known_change_everything_runs(self):
        self.assertEqual(self.chosen()[0], {step.name for step in self.EVERY})


if __name__ == "__main__":
    unittest.main()
