"""The demo reports when two languages disagree."""

import importlib.machinery
import importlib.util
import sys
import unittest
from pathlib import Path

_loader = importlib.machinery.SourceFileLoader("demo", str(Path(__file__).resolve().parent.parent / "demo"))
_spec = importlib.util.spec_from_loader("demo", _loader)
demo = importlib.util.module_from_spec(_spec)
sys.modules["demo"] = demo
_loader.exec_module(demo)


def emit(language):
    return demo.parse_emitted(
        language, "".join(f"{language}\t{scheme}\t{index}\ttext{index}\n" for index, scheme in enumerate(demo.SCHEMES))
    )


def read(reader, emitted, node="1"):
    lines = [f"{reader}\t" + "\t".join(line.split("\t")[:3]) + f"\t1700000000123\t{node}\t0\t-" for line in emitted]
    return demo.parse_readings(reader, "\n".join(lines))


class Table(unittest.TestCase):
    def test_readers_that_agree_are_all_named(self):
        emitted = emit("c") + emit("rust")
        table, wrong = demo.compare(emitted, {reader: read(reader, emitted) for reader in ("c", "rust")})
        self.assertEqual(wrong, [])
        rows = [row for row in table if row.endswith("c rust")]
        self.assertEqual(len(rows), 2 * len(demo.SCHEMES))
        self.assertIn("2023-11-14T22:13:20.123Z node 1, sequence 0", rows[0])

    def test_a_reader_that_disagrees_is_a_failure(self):
        emitted = emit("c")
        _, wrong = demo.compare(emitted, {"c": read("c", emitted), "rust": read("rust", emitted, node="2")})
        self.assertEqual(len(wrong), len(demo.SCHEMES))

    def test_an_id_that_no_reader_read_is_a_failure(self):
        emitted = emit("c")
        _, wrong = demo.compare(emitted, {"c": read("c", emitted), "rust": read("rust", emitted[:-1])})
        self.assertEqual(len(wrong), 1)
        _, wrong = demo.compare(emitted, {"c": read("c", emitted[:-1])})
        self.assertEqual(len(wrong), 1)

    def test_output_of_another_form_is_refused(self):
        with self.assertRaises(ValueError):
            demo.parse_emitted("c", "c\tsnowflake\t1\ttext\n")
        with self.assertRaises(ValueError):
            demo.parse_readings("c", "rust\tc\tsnowflake\t1\t1\t1\t1\t1\n")


if __name__ == "__main__":
    unittest.main()
