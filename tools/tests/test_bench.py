"""bench/run: its calculations, and its reports of what is missing. Nothing is measured."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

BENCH = Path(__file__).resolve().parent.parent.parent / "bench"
sys.path.insert(0, str(BENCH))

from collate import page, results, tables, targets
from collate.targets import Target

_loader = importlib.machinery.SourceFileLoader("bench_run", str(BENCH / "run"))
_spec = importlib.util.spec_from_loader("bench_run", _loader)
program = importlib.util.module_from_spec(_spec)
_loader.exec_module(program)

MACHINE = {
    "date": "2026-01-01",
    "cores": 2,
    "model": "A processor",
    "vectors": "AVX2",
    "flags": ["avx2", "sse2"],
    "system": "Linux 6",
    "load": "0.10",
}
MEASURED = {
    "rust": {
        "rust.snowflake.fill": {"saiban": [2, 4, 3]},
        "rust.snowflake.generate": {"saiban": [30], "ferroid BasicSnowflake": [20], "ferroid, an atomic one": [25]},
        "rust.cas": {"baseline: compare-and-swap": [10]},
        "rust.base62.encode": {"saiban": [4], "base62": [8], "data_encoding": [7], "baseline: a copy": [1]},
    },
    "go": {"go.uuid4.generate": {"google/uuid": [300], "google/uuid, with its pool": [60]}},
}


def lines(cases):
    return [
        json.dumps({"path": path, "who": who, "version": "1.0", "ns": ns})
        for path, whose in cases.items()
        for who, ns in whose.items()
    ]


def run_of(measured, rounds=3, **left_out):
    languages = [
        results.Language(
            name,
            {"language": name, "runtime": f"{name} 1.2"},
            tuple(results.case_of(json.loads(line), name) for line in lines(cases)),
        )
        for name, cases in measured.items()
    ]
    languages += [results.Language(name, left_out=why) for name, why in left_out.items()]
    return results.Run(MACHINE, rounds, 20, tuple(languages))


class Turns(unittest.TestCase):
    def language(self, *ns: float, who: str = "saiban") -> results.Language:
        case = results.Case("rust.cas", who, "1", ns)
        return results.Language("rust", {"runtime": "r"}, (case,), ("a note",))

    def test_the_rounds_of_all_turns_are_joined(self) -> None:
        joined = results.joined(self.language(1.0, 9.0), self.language(2.0))
        self.assertEqual((joined.cases[0].ns, joined.cases[0].median), ((1.0, 9.0, 2.0), 2.0))
        self.assertEqual((joined.machine, joined.notes), ({"runtime": "r"}, ("a note",)))

    def test_turns_that_measure_different_cases_are_refused(self) -> None:
        with self.assertRaisesRegex(results.Wrong, "did not measure what it measured before"):
            results.joined(self.language(1.0), self.language(1.0, who="another"))

    def test_a_language_left_out_of_one_turn_is_left_out(self) -> None:
        out = results.Language("rust", left_out="why")
        self.assertEqual([results.joined(out, self.language(1.0)), results.joined(self.language(1.0), out)], [out, out])


class Medians(unittest.TestCase):
    def median(self, *ns):
        return results.Case("rust.cas", "saiban", "", ns).median

    def test_the_middle_of_the_rounds_whatever_their_order(self):
        self.assertEqual(self.median(9.0, 1.0, 2.0), 2.0)

    def test_between_the_two_middle_ones_of_an_even_number(self):
        self.assertEqual(self.median(8.0, 1.0, 2.0, 3.0), 2.5)

    def test_one_disturbed_round_changes_nothing(self):
        self.assertEqual(self.median(5.0, 5.0, 5.0, 5.0, 900.0), 5.0)


class Lines(unittest.TestCase):
    def setUp(self):
        self.case = {"path": "c.snowflake.fill", "who": "saiban", "version": "0.1.0", "ns": [1.5, 2]}

    def read(self, *objects):
        return results.read("c", [json.dumps(line) for line in objects])

    def test_cases_machine_and_notes(self):
        read = self.read({"machine": {"language": "c", "runtime": "gcc 12"}}, self.case, {"note": "no libuuid"})
        self.assertEqual(read.machine["runtime"], "gcc 12")
        self.assertEqual(read.cases[0].ns, (1.5, 2.0))
        self.assertEqual(read.notes, ("no libuuid",))

    def test_a_language_may_give_the_reason_why_it_is_left_out(self):
        self.assertEqual(self.read({"left_out": "no compiler"}).left_out, "no compiler")

    def test_nothing_measured_is_wrong(self):
        for objects in ([], [{"machine": {"language": "c"}}]):
            with self.assertRaises(results.Wrong):
                self.read(*objects)

    def test_lines_of_another_form_are_wrong(self):
        for change in (
            {"path": "rust.snowflake.fill"},
            {"path": "c"},
            {"path": None},
            {"who": ""},
            {"ns": []},
            {"ns": [0]},
            {"ns": [-1]},
            {"ns": ["1"]},
            {"ns": [True]},
            {"ns": [float("nan")]},
            {"ns": [float("inf")]},
        ):
            with self.subTest(change), self.assertRaises(results.Wrong):
                self.read({**self.case, **change})
        for line in ("measured", "[1]"):
            with self.subTest(line), self.assertRaises(results.Wrong):
                results.read("c", [line])

    def test_a_repeated_case_and_different_numbers_of_rounds_are_wrong(self):
        with self.assertRaisesRegex(results.Wrong, "twice"):
            self.read(self.case, self.case)
        with self.assertRaisesRegex(results.Wrong, "rounds"):
            self.read(self.case, {**self.case, "who": "other", "ns": [1.0]})

    def test_results_are_read_as_they_were_written(self):
        run = run_of(MEASURED, kotlin="no javac")
        self.assertEqual(results.load(results.dump(run)), run)

    def test_a_case_is_of_saiban_a_baseline_or_a_rival(self):
        def kinds(who):
            case = results.Case("rust.cas", who, "", (1.0,))
            return case.is_saiban, case.is_baseline, case.is_rival

        self.assertEqual(kinds("saiban"), (True, False, False))
        self.assertEqual(kinds("saiban, limited by its format"), (True, False, False))
        self.assertEqual(kinds("baseline: a call"), (False, True, False))
        self.assertEqual(kinds("saiban-like"), (False, False, True))


class Expressions(unittest.TestCase):
    def value(self, expression, measured=MEASURED):
        return targets.evaluate(expression, run_of(measured))

    def test_numbers_and_arithmetic(self):
        self.assertEqual(self.value(20), 20)
        self.assertEqual(self.value("1.5 * (2 + 4) - 6 / 3"), 7)
        self.assertEqual(self.value("min(5, 3, 4)"), 3)

    def test_a_path_is_saibans_median_or_that_of_the_only_one(self):
        self.assertEqual(self.value("2 * rust.snowflake.fill"), 6)
        self.assertEqual(self.value("rust.snowflake.generate"), 30)
        self.assertEqual(self.value("rust.cas"), 10)

    def test_brackets_name_the_fastest_that_has_these_words(self):
        self.assertEqual(self.value("rust.snowflake.generate[ferroid]"), 20)
        self.assertEqual(self.value("rust.snowflake.generate[ferroid atomic]"), 25)
        self.assertEqual(self.value("rust.snowflake.generate[basicsnowflake]"), 20)

    def test_dashes_and_underscores_are_one(self):
        self.assertEqual(self.value("rust.base62.encode[data-encoding]"), 7)

    def test_rivals_are_neither_saiban_nor_baselines(self):
        self.assertEqual(self.value("0.5 * rust.base62.encode[rivals]"), 3.5)

    def test_an_unmeasured_path_is_named(self):
        for expression in ("rust.ulid.fill", "1.3 * (rust.cas + rust.ulid.fill)", "min(rust.ulid.fill, 1)"):
            with self.assertRaisesRegex(targets.Missing, "^rust.ulid.fill$"):
                self.value(expression)
        with self.assertRaisesRegex(targets.Missing, r"^rust.base62.encode\[fast32\]$"):
            self.value("rust.base62.encode[fast32]")
        with self.assertRaisesRegex(targets.Missing, r"^rust.cas\[rivals\]$"):
            self.value("rust.cas[rivals]")

    def test_a_path_of_several_rivals_must_name_one(self):
        with self.assertRaisesRegex(targets.Missing, "which of google/uuid, "):
            self.value("go.uuid4.generate")

    def test_anything_else_is_refused(self):
        for expression in ("max(1, 2)", "2 ** 3", "-1", "rust", "__import__('os')", "1 +", "'a' * 2", "min()"):
            with self.subTest(expression), self.assertRaises(ValueError):
                self.value(expression)


class Verdicts(unittest.TestCase):
    def judge(self, path, at_most, measured=MEASURED):
        return targets.judge(Target(path, at_most), run_of(measured))

    def test_met_up_to_the_target_itself(self):
        self.assertTrue(self.judge("rust.snowflake.fill", 3).met)
        self.assertFalse(self.judge("rust.snowflake.fill", 2.99).met)

    def test_measured_is_saibans_median(self):
        verdict = self.judge("rust.snowflake.generate", "1.1 * rust.snowflake.generate[ferroid]")
        self.assertEqual((verdict.measured, verdict.at_most), (30, 22))
        self.assertIn("**missed**", tables.told(verdict))

    def test_the_first_instruction_set_that_the_machine_has_counts(self):
        verdict = self.judge("rust.snowflake.fill", {"avx512bw": 1, "avx2": "2 * 3", "sse2": 14})
        self.assertEqual((verdict.at_most, verdict.expression), (6, "`2 * 3` with avx2"))
        verdict = self.judge("rust.snowflake.fill", {"asimd": 1})
        self.assertIn("the machine has none of asimd", verdict.missing)
        self.assertFalse(verdict.met)

    def test_unmeasured_paths_on_both_sides_are_named(self):
        verdict = self.judge("rust.ulid.generate", "1.1 * rust.ulid.fill")
        self.assertEqual(tables.told(verdict)[-1], "not measured: rust.ulid.generate; rust.ulid.fill")
        self.assertFalse(verdict.met)
        # The table shows the side that was measured.
        self.assertEqual(tables.told(self.judge("rust.snowflake.fill", "rust.ulid.fill"))[1], "3.00")

    def test_counts_and_languages_that_were_not_run(self):
        rows = [
            Target("rust.snowflake.fill", 3),
            Target("rust.snowflake.fill", 1),
            Target("rust.ulid.fill", 1),
            Target("kotlin.snowflake.fill", 1),
            Target("c.snowflake.fill", 1),
        ]
        text = tables.targets_table(rows, run_of(MEASURED, kotlin="no javac"))
        self.assertIn("1 met, 1 missed, 1 not measured, 2 of languages that were not run (Kotlin, C).", text)
        self.assertNotIn("kotlin.snowflake", text)

    def test_a_target_has_a_path_and_at_most(self):
        with self.assertRaises(ValueError):
            targets.read('[[target]]\npath = "rust.cas"\natmost = 1\n')


class TheTargets(unittest.TestCase):
    """bench/targets.toml: each target is valid, and none is missing when everything was measured."""

    WHO = (
        "saiban",
        "baseline: scope process",
        "ferroid",
        "uuid with fast-rng",
        "bson",
        "bson, as text",
        "ulid, monotonic",
        "uuid-utils",
        "ulid-transform",
        "crypto.randomUUID",
    )

    def test_all_are_judged_when_everything_was_measured(self):
        rows = targets.read((BENCH / "targets.toml").read_text())
        paths = {match[1] for target in rows for match in targets.REFERENCE.finditer(f"{target.path} {target.at_most}")}
        measured = {}
        for path in paths:
            whose = {who: [5.0] for who in (*self.WHO, "@sapphire/snowflake")}
            measured.setdefault(path.split(".")[0], {})[path] = whose
        run = run_of(measured)
        self.assertGreater(len(rows), 30)
        self.assertEqual(
            [verdict.missing for verdict in (targets.judge(target, run) for target in rows) if verdict.missing], []
        )
        # Without any results, each verdict names what is missing.
        for target in rows:
            self.assertTrue(targets.judge(target, run_of({})).missing, target)

    def test_no_target_comes_twice(self):
        rows = [(target.path, str(target.at_most)) for target in targets.read((BENCH / "targets.toml").read_text())]
        self.assertEqual(len(rows), len(set(rows)))

    def test_paths_are_those_of_languages_that_are_run(self):
        for target in targets.read((BENCH / "targets.toml").read_text()):
            self.assertTrue(results.PATH.fullmatch(target.path), target.path)
            self.assertIn(target.language, program.PROGRAMS)


class Tables(unittest.TestCase):
    def test_numbers_have_three_digits_or_so(self):
        texts = [tables.ns(value) for value in (0.344, 8.531, 12.34, 271.4, 39412.0)]
        self.assertEqual(texts, ["0.34", "8.53", "12.3", "271", "39,412"])

    def test_saiban_first_then_the_fastest_and_how_many_times_as_long(self):
        language = run_of(MEASURED).languages[0]
        rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in tables.language_table(language).split("\n")]
        generate = [row for row in rows[2:] if row[0] == "rust.snowflake.generate"]
        at = rows.index(generate[0])
        self.assertEqual(rows[at], ["rust.snowflake.generate", "**saiban 1.0**", "30.0", "30.0–30.0", ""])
        self.assertEqual(rows[at + 1], ["", "ferroid BasicSnowflake 1.0", "20.0", "20.0–20.0", "0.67 ×"])
        self.assertEqual([row[1] for row in rows if row[0] == "rust.snowflake.fill"], ["**saiban 1.0**"])
        self.assertIn("2.00–4.00", rows[2])

    def test_saiban_without_reservation_is_what_others_are_compared_with(self):
        whose = {"saiban, limited by its format": [2], "saiban": [10], "other": [30]}
        run = run_of({"c": {"c.uuid1.generate": whose}})
        rows = [
            [cell.strip() for cell in row.split("|")[2:-1]]
            for row in tables.language_table(run.languages[0]).split("\n")
        ]
        self.assertEqual(
            [row[0] for row in rows[2:]], ["**saiban 1.0**", "**saiban, limited by its format 1.0**", "other 1.0"]
        )
        self.assertEqual([row[-1] for row in rows[2:]], ["", "0.20 ×", "3.00 ×"])
        self.assertEqual(targets.evaluate("c.uuid1.generate", run), 10)

    def test_rivals_without_saiban_are_not_compared(self):
        language = run_of(MEASURED).languages[1]
        self.assertNotIn("×", tables.language_table(language))

    def test_the_report_names_machine_rounds_and_what_was_left_out(self):
        text = tables.report(run_of(MEASURED, kotlin="no javac on this machine"), [], picture=True)
        self.assertIn("2 cores of A processor (AVX2), Linux 6", text)
        self.assertIn("Rounds: 3, each sample about 20 ms.", text)
        self.assertIn("Left out: Kotlin: no javac on this machine", text)
        self.assertIn("(rust.svg)", text)
        self.assertNotIn("kotlin.svg", text)
        self.assertNotIn(".svg", tables.report(run_of(MEASURED), [], picture=False))

    def test_tables_between_the_marks_are_replaced_each_time(self):
        empty = f"before\n{page.BEGIN}\nnothing\n\n{page.END}after\n"
        once = page.between(empty, "a table\n")
        self.assertEqual(once, f"before\n{page.BEGIN}\na table\n\n{page.END}after\n")
        self.assertEqual(page.between(once, "a table"), once)
        with self.assertRaises(ValueError):
            page.between("before\nafter\n", "a table")
        self.assertIn("\n", page.between((program.PAGES / "README.md").read_text(), "a table"))


class Program(unittest.TestCase):
    """Replaces the benches of the languages by small programs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.here = Path(folder.name)
        for name, value in {"HERE": self.here, "ROOT": self.here, "PROGRAMS": {"c": ("sh",), "go": ("sh",)}}.items():
            patch = mock.patch.object(program, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        (self.here / "targets.toml").write_text('[[target]]\npath = "c.cas"\nat_most = 20\n')

    def bench(self, language, script):
        (self.here / language).mkdir()
        (self.here / language / "run").write_text(f"#!/bin/sh\n{script}\n")
        (self.here / language / "run").chmod(0o755)

    def run_main(self, *arguments):
        with (
            mock.patch.dict("os.environ", {"CARGO_TARGET_DIR": str(self.here)}),
            contextlib.redirect_stdout(io.StringIO()) as printed,
            contextlib.redirect_stderr(io.StringIO()) as errors,
        ):
            return program.main(list(arguments)), printed.getvalue(), errors.getvalue()

    def test_rounds_and_time_are_passed_on_and_the_verdicts_are_printed(self):
        self.bench("c", """echo '{"path":"c.cas","who":"saiban","version":"'$*'","ns":[10]}'""")
        code, printed, _ = self.run_main("--quick", "--languages", "c")
        self.assertEqual(code, 0)
        self.assertIn("**saiban --rounds 5 --ms 10**", printed)
        self.assertIn("Targets: 1 met, 0 missed, 0 not measured.", printed)

    def test_a_bench_that_is_not_there_is_left_out_by_name(self):
        self.bench("c", """echo '{"path":"c.cas","who":"saiban","ns":[30]}'""")
        code, printed, errors = self.run_main()
        self.assertEqual(code, 0)  # a missed target is not a failure
        self.assertIn("Left out: Go: there is no bench/go/run", printed)
        self.assertIn("go is left out", errors)
        self.assertIn("**missed**", printed)

    def test_a_missing_toolchain_is_named(self):
        with mock.patch.dict(program.PROGRAMS, {"go": ("no-such-program",)}):
            code, printed, _ = self.run_main("--languages", "go")
        self.assertEqual(code, 0)
        self.assertIn("Left out: Go: no no-such-program on this machine", printed)

    def test_a_failed_bench_fails_the_run_and_nothing_is_written(self):
        self.bench("c", """echo '{"path":"c.cas","who":"saiban","ns":[30]}'""")
        for script in ("exit 3", "echo no JSON", "true"):
            with self.subTest(script):
                self.bench("go", script)
                code, printed, errors = self.run_main("--write")
                self.assertEqual(code, 1)
                self.assertIn("go FAILED", errors)
                self.assertIn("nothing is written", errors)
                self.assertIn("Left out: Go: its run failed", printed)
                self.assertIn("c.cas", printed)
                (self.here / "go" / "run").unlink()
                (self.here / "go").rmdir()

    def written(self, charts):
        """Returns the files in the pages' folder after a run that writes these charts."""
        pages = self.here / "pages"
        pages.mkdir(exist_ok=True)
        (pages / "README.md").write_text(f"before\n{page.BEGIN}\n{page.END}after\n")
        (pages / "cobol.svg").write_text("of a language that is no more")
        self.bench("c", """echo '{"path":"c.cas","who":"saiban","ns":[10]}'""")
        with mock.patch.object(program, "PAGES", pages), mock.patch.object(program, "charts", lambda *_: charts):
            self.run_main("--write", "--languages", "c")
        return {path.name: path.read_text() for path in pages.iterdir()}

    def test_page_charts_and_results_are_written(self):
        files = self.written({"c.svg": "a chart"})
        self.assertEqual(sorted(files), ["README.md", "c.svg", "results.json"])
        self.assertIn("(c.svg)", files["README.md"])
        self.assertEqual(results.load(files["results.json"]).cases("c.cas")[0].ns, (10.0, 10.0, 10.0))

    def test_a_chart_that_is_too_large_keeps_all_from_being_written(self):
        with self.assertRaisesRegex(ValueError, "c.svg would have"):
            self.written({"c.svg": "a" * (program.LARGEST_CHART + 1)})
        pages = self.here / "pages"
        self.assertEqual(sorted(path.name for path in pages.iterdir()), ["README.md", "cobol.svg"])
        # The rounds are kept.
        self.assertEqual(len(results.load((self.here / "bench" / "results.json").read_text()).cases("c.cas")), 1)

    def test_a_report_is_printed_again_from_its_results(self):
        self.bench("c", """echo '{"path":"c.cas","who":"saiban","ns":[10]}'""")
        _, first, _ = self.run_main("--languages", "c")
        (self.here / "c" / "run").unlink()
        code, again, _ = self.run_main("--read", str(self.here / "bench" / "results.json"))
        self.assertEqual((code, again), (0, first))

    def test_unknown_languages_are_refused(self):
        with self.assertRaises(SystemExit):
            self.run_main("--languages", "cobol")


if __name__ == "__main__":
    unittest.main()
