"""Tests the readers of tools/counting.py with real output of the test programs."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import counting
from counting import Counts

CARGO = """
running 3 tests
test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
test result: FAILED. 4 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s
"""

SWIFT = """
Test Case 'X.testAdd' started at 2026-11-21 11:29:44.445
Test Case 'X.testAdd' passed (0.001 seconds)
Test Case 'X.testBad' failed (0.201 seconds)
Test Case 'X.testSkip' skipped (0.0 seconds)
\t Executed 3 tests, with 1 test skipped and 2 failures (0 unexpected) in 0.202 (0.202) seconds
✘ Test off() skipped: "why"
✘ Test off2() skipped.
◇ Test "is skipped: never" started.
✔ Test "is skipped: never" passed after 0.001 seconds.
✘ Test known() passed after 0.001 seconds with 1 known issue.
✔ Test args(x:) passed after 0.001 seconds.
✘ Test bad() recorded an issue at t.swift:6:20: Expectation failed: (add(1,2) → 3) == 4
✘ Test bad() failed after 0.001 seconds with 2 issues.
✘ Suite S failed after 0.001 seconds with 1 issue.
✘ Test run with 9 tests failed after 0.001 seconds with 4 issues (including 1 known issue).
"""

GO = """
=== RUN   TestGood
--- PASS: TestGood (0.00s)
=== RUN   TestParts/a
--- PASS: TestParts (0.00s)
    --- PASS: TestParts/a (0.00s)
--- FAIL: TestBad (0.00s)
    a_test.go:12: the error is <nil>
--- SKIP: TestOff (0.00s)
FAIL
FAIL\tsaiban.example/orders\t0.004s
?   \tsaiban.example/orders/saiban\t[no test files]
"""

JUNIT = """<testsuite tests="4"><testcase name="a"/><testcase name="b"><failure/></testcase>
<testcase name="c"><error/></testcase><testcase name="d"><skipped/></testcase></testsuite>"""


class Readers(unittest.TestCase):
    def test_closing_line_is_the_last_one_that_stands_alone(self):
        coloured = "\x1b[32m5 passed, 1 failed, 2 skipped\x1b[0m"
        output = f"1 passed, 0 failed, 0 skipped\nso: 9 passed, 9 failed, 9 skipped\n{coloured}\n"
        self.assertEqual(counting.closing(output), Counts(5, 1, 2))

    def test_total_is_the_sum_of_all_lines(self):
        output = "3 passed, 0 failed, 0 skipped\nsome text\n5 passed, 1 failed, 2 skipped\n"
        self.assertEqual(counting.total(output), Counts(8, 1, 2))
        self.assertIsNone(counting.total("3 passed"))

    def test_go_counts_a_test_with_its_subtests_once(self):
        self.assertEqual(counting.go(GO), Counts(2, 1, 1))

    def test_cargo_adds_up_all_test_programs(self):
        self.assertEqual(counting.cargo(CARGO), Counts(7, 2, 1))

    def test_pytest_counts_errors_as_failures_and_expected_failures_as_skips(self):
        line = "== 1 failed, 5 passed, 2 skipped, 3 deselected, 1 xfailed, 1 error in 3.20s (0:00:03) =="
        self.assertEqual(counting.pytest(f"took 9 passed\n{line}\n"), Counts(5, 2, 3))

    def test_pytest_without_tests_holds_no_result(self):
        self.assertIsNone(counting.pytest("no tests ran in 0.01s"))

    def test_unittest_splits_the_verdict(self):
        output = "Ran 6 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1, expected failures=1)\n"
        self.assertEqual(counting.unittest(output), Counts(2, 2, 2))
        self.assertEqual(counting.unittest("Ran 4 tests in 0.001s\n\nOK\n"), Counts(4, 0, 0))

    def test_node_reads_both_reporters(self):
        for mark in "#ℹ":
            output = f"{mark} pass 2\n{mark} fail 1\n{mark} cancelled 1\n{mark} skipped 1\n{mark} todo 1\n"
            self.assertEqual(counting.node(output), Counts(2, 2, 2))

    def test_swift_counts_both_libraries_and_no_summary(self):
        self.assertEqual(counting.swift(SWIFT), Counts(4, 2, 3))

    def test_junit_counts_cases(self):
        self.assertEqual(counting.junit(JUNIT), Counts(1, 2, 1))

    def test_failed_tests_are_shown_with_what_they_printed(self):
        node = "✖ failing tests:\n\ntest at tests/a.test.mjs:1:1\n✖ adds (1.5ms)\n  AssertionError: 3 !== 4\n"
        self.assertEqual(counting.failed_tests(node)[-2:], ("✖ adds (1.5ms)", "  AssertionError: 3 !== 4"))
        cargo = "---- a::adds stdout ----\nassertion failed\n"
        cargo += "stack backtrace:\n   0: std::a\n             at ./a.rs:1:2\n\nfailures:\n    a::adds\n"
        self.assertEqual(counting.failed_tests(cargo), ("---- a::adds stdout ----", "assertion failed"))
        self.assertEqual(counting.failed_tests("12 passed, 0 failed, 0 skipped\n"), ())

    def test_an_output_without_result_is_none_for_every_text_reader(self):
        for name, reader in counting.READERS.items():
            if name != "junit":
                self.assertIsNone(reader("error: could not compile\n"), name)


if __name__ == "__main__":
    unittest.main()
