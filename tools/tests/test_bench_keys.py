"""bench/keys: its calculations, tables and page. Nothing is measured, and no database is needed."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import importlib.machinery
import importlib.util
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

BENCH = Path(__file__).resolve().parent.parent.parent / "bench"
sys.path.insert(0, str(BENCH))

from keys import command, inserts, page, results
from keys.inserts import BATCH, Batch, Sample
from keys.kinds import BASELINE, KINDS

_loader = importlib.machinery.SourceFileLoader("bench_keys_run", str(BENCH / "keys" / "run"))
_spec = importlib.util.spec_from_loader("bench_keys_run", _loader)
program = importlib.util.module_from_spec(_spec)
_loader.exec_module(program)


def database(columns: tuple[page.Column, ...], settings: dict[str, str]) -> results.Database:
    """Returns figures of 1, 2, 3 … million: those of each kind are a multiple of bigserial's."""
    figures = {
        kind.name: {column.figure: number * 1e6 for column in columns} for number, kind in enumerate(KINDS, start=1)
    }
    return results.Database(settings, figures)


def a_run() -> results.Run:
    return results.Run(
        rows=10_000_000,
        batch=BATCH,
        machine={
            "date": "2026-01-01",
            "cores": 2,
            "model": "A processor",
            "memory": "24 GiB of memory",
            "files": "ext4",
            "system": "Linux 6",
            "load": "0.10",
        },
        commit="0123456789",
        versions={"saiban": "0.1.0", "SQLite": "3.40.1"},
        postgres=database(page.POSTGRES, {"shared_buffers": "128MB", "fsync": "on"}),
        sqlite=database(page.SQLITE, {"journal_mode": "wal", "synchronous": "1"}),
    )


class Batches(unittest.TestCase):
    def test_each_batch_is_full_but_the_last(self) -> None:
        made = list(inserts.batches(2 * BATCH + 1, None))
        self.assertEqual([len(batch.numbers) for batch in made], [BATCH, BATCH, 1])
        self.assertEqual([number for batch in made for number in batch.numbers], list(range(2 * BATCH + 1)))

    def test_all_kinds_of_keys_get_the_same_payload(self) -> None:
        first, second = (next(inserts.batches(10, make)) for make in (None, lambda count: ["a key"] * count))
        self.assertEqual((first.numbers, first.notes), (second.numbers, second.notes))
        self.assertEqual({len(note) for note in first.notes}, {32})
        self.assertEqual(len(set(first.notes)), 10)

    def test_as_many_keys_as_rows_are_made(self) -> None:
        made = list(inserts.batches(BATCH + 5, lambda count: ["a key"] * count))
        self.assertEqual([len(batch.keys) for batch in made], [BATCH, 5])

    def test_the_key_is_the_first_column_unless_the_database_makes_it(self) -> None:
        self.assertEqual(Batch([7], [1], ["a"]).columns(), [[7], [1], ["a"]])
        self.assertEqual(Batch(None, [1], ["a"]).columns(), [[1], ["a"]])


class Paces(unittest.TestCase):
    def test_rows_a_second_of_all_transactions_together(self) -> None:
        self.assertEqual(inserts.pace([Sample(1000, 0.5), Sample(1000, 1.5)]), 1000)

    def test_a_short_last_transaction_counts_by_its_rows(self) -> None:
        self.assertEqual(inserts.pace([Sample(1000, 1.0), Sample(500, 0.5)]), 1000)

    def test_the_end_is_a_tenth_of_the_transactions(self) -> None:
        samples = [Sample(1000, float(number)) for number in range(1, 101)]
        self.assertEqual(inserts.last(samples), samples[90:])

    def test_the_end_is_at_least_one_transaction(self) -> None:
        samples = [Sample(1000, 1.0), Sample(1000, 2.0)]
        self.assertEqual(inserts.last(samples), samples[1:])

    def test_progress_is_reported_ten_times_and_at_the_end(self) -> None:
        self.assertEqual([done for done in range(1, 101) if inserts.is_due(done, 100)], list(range(10, 101, 10)))
        self.assertEqual([done for done in range(1, 4) if inserts.is_due(done, 3)], [1, 2, 3])

    def test_only_the_transactions_are_timed(self) -> None:
        now, prepared = [0.0], []

        def passes(seconds: float) -> None:
            now[0] += seconds

        def make(count: int) -> list[int]:
            passes(100)
            return list(range(count))

        def parameters(batch: Batch) -> int:
            passes(100)
            return len(batch.numbers)

        def execute(rows: int) -> None:
            passes(0.5 if prepared else 1.5)
            prepared.append(rows)

        with mock.patch("time.perf_counter", lambda: now[0]), contextlib.redirect_stderr(io.StringIO()):
            figures = inserts.insert("a database", 2 * BATCH, make, parameters, execute)
        self.assertEqual(prepared, [BATCH, BATCH])
        self.assertEqual(figures, {"rows_per_s": 1000, "last_rows_per_s": 2000})


class Stops(unittest.TestCase):
    def tearDown(self) -> None:
        inserts.STOP.clear()

    def test_a_signal_ends_the_run_after_the_transaction(self) -> None:
        done = []

        def execute(rows: int) -> None:
            done.append(rows)
            inserts.STOP.set()

        with self.assertRaisesRegex(SystemExit, "stopped by a signal"):
            inserts.insert("a database", 20 * BATCH, None, lambda batch: len(batch.numbers), execute)
        self.assertEqual(done, [BATCH])


class Cells(unittest.TestCase):
    def setUp(self) -> None:
        self.column = page.Column("WAL, MB", "wal_bytes", page.megabytes, True)

    def cell(self, value: float | None, baseline: float | None, compares: bool = True) -> str:
        column = dataclasses.replace(self.column, compares=compares)
        return page.cell(column, {"wal_bytes": value}, {"wal_bytes": baseline})

    def test_a_figure_has_its_ratio_to_bigserial(self) -> None:
        self.assertEqual(self.cell(3e9, 2e9), "3,000 (1.50 ×)")

    def test_bigserial_has_no_ratio(self) -> None:
        self.assertEqual(page.cell(self.column, {"wal_bytes": 2e6}, None), "2.00")

    def test_there_is_no_ratio_to_nothing(self) -> None:
        self.assertEqual(self.cell(3e6, 0), "3.00")
        self.assertEqual(self.cell(3e6, None), "3.00")

    def test_columns_without_ratio(self) -> None:
        self.assertEqual(self.cell(3e6, 2e6, compares=False), "3.00")

    def test_what_could_not_be_measured_is_unknown(self) -> None:
        self.assertEqual(self.cell(None, 2e6), "unknown")
        self.assertEqual(self.cell(None, None), "unknown")

    def test_a_ratio_of_zero_is_shown(self) -> None:
        self.assertEqual(self.cell(0, 2e6), "0.00 (0.00 ×)")

    def test_forms(self) -> None:
        self.assertEqual(page.rate(81_234.5), "81,200")
        self.assertEqual(page.rate(812.3), "812")
        self.assertEqual(page.count(1_234_567), "1,234,567")
        self.assertEqual(page.percent(89.96), "90 %")
        self.assertEqual(page.index_megabytes(0), "none")
        self.assertEqual(page.index_megabytes(224_641_024), "225")


class Pages(unittest.TestCase):
    def test_both_tables_have_every_kind_of_key(self) -> None:
        tables = page.tables(a_run())
        for kind in KINDS:
            rows = [line for line in tables.splitlines() if line.startswith(f"| {kind.title} ")]
            with self.subTest(kind.name):
                self.assertEqual(len(rows), 2)
                self.assertIn(f"`{kind.postgres}`", rows[0])
                self.assertIn(f"`{kind.sqlite} PRIMARY KEY`", rows[1])
                self.assertEqual("×" in rows[0], kind.name != BASELINE)

    def test_ratios_are_those_to_bigserial(self) -> None:
        rows = [line for line in page.tables(a_run()).splitlines() if line.startswith("| saiban UUID v4 ")]
        for row in rows:
            self.assertIn("4,000,000 (4.00 ×)", row)

    def test_the_page_begins_with_the_question(self) -> None:
        text = page.page(a_run())
        self.assertRegex(text, r"\A# .*\n\nHow [^.]*\?")
        self.assertIn("make bench-keys", text)

    def test_the_page_has_rows_date_commit_machine_versions_and_settings(self) -> None:
        text = " ".join(page.page(a_run()).split())
        for part in [
            "10,000,000 rows a table",
            "1,000 rows a transaction",
            "2026-01-01, commit 0123456789",
            "2 cores of A processor, 24 GiB of memory, Linux 6",
            "ext4",
            "saiban 0.1.0, SQLite 3.40.1",
            "`shared_buffers` 128MB, `fsync` on",
            "`journal_mode` wal, `synchronous` NORMAL",
        ]:
            with self.subTest(part):
                self.assertIn(part, text)

    def test_prose_has_at_most_100_columns(self) -> None:
        wide = [line for line in page.page(a_run()).splitlines() if len(line) > 100 and not line.startswith("|")]
        self.assertEqual(wide, [])

    def test_the_text_around_the_tables_does_not_depend_on_the_figures(self) -> None:
        def prose(run: results.Run) -> str:
            return page.page(run).replace(page.tables(run), "")

        nothing = {kind.name: dict.fromkeys(column.figure for column in page.POSTGRES) for kind in KINDS}
        other = dataclasses.replace(a_run(), postgres=dataclasses.replace(a_run().postgres, figures=nothing))
        self.assertIn("unknown", page.page(other))
        self.assertEqual(prose(other), prose(a_run()))

    def test_the_results_are_read_as_they_are_written(self) -> None:
        self.assertEqual(results.load(results.dump(a_run())), a_run())


class Commands(unittest.TestCase):
    def test_a_full_run_by_default(self) -> None:
        options = command.options([])
        self.assertEqual((options.rows, options.write, options.read), (10_000_000, False, None))

    def test_a_number_of_rows_is_positive(self) -> None:
        self.assertEqual(command.row_count("1000"), 1000)
        for text in ["0", "-1", "1e6", "", "²"]:
            with self.subTest(text), self.assertRaisesRegex(argparse.ArgumentTypeError, "give 1 or more"):
                command.row_count(text)

    def test_results_are_read_without_installing_or_measuring(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file, written = Path(folder) / "results.json", Path(folder) / "keys.md"
            file.write_text(results.dump(a_run()))
            printed = io.StringIO()
            with (
                mock.patch.object(program, "install", side_effect=AssertionError),
                mock.patch.object(command, "PAGE", written),
                mock.patch.object(command, "ROOT", Path(folder)),
                contextlib.redirect_stdout(printed),
                contextlib.redirect_stderr(io.StringIO()),
            ):
                self.assertEqual(program.main(["--read", str(file), "--write"]), 0)
            self.assertEqual(written.read_text(), page.page(a_run()))
            self.assertIn("## PostgreSQL", printed.getvalue())

    def test_what_cannot_be_installed_is_reported(self) -> None:
        said = io.StringIO()
        with (
            mock.patch.object(program, "install", side_effect=OSError("no python3-venv")),
            mock.patch.dict("os.environ"),
            contextlib.redirect_stderr(said),
        ):
            self.assertEqual(program.main([]), 1)
        self.assertEqual(said.getvalue(), "keys: cannot install what is needed: no python3-venv\n")


if __name__ == "__main__":
    unittest.main()
