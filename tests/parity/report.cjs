// Compares line by line, and prints a report in the format of all tests of the project.
"use strict";

const { readFileSync } = require("node:fs");

// Each test has the subject of its lines, a name that states the property, and a check of one line.
// Every line goes through the tests of its subject.
exports.run = (tests, path, what) => {
  const results = tests.map(([subject, name, test]) => ({ subject, name, test, compared: 0, wrong: [] }));
  const bySubject = new Map(results.map(({ subject }) => [subject, results.filter((other) => other.subject === subject)]));
  for (const line of readFileSync(path, "latin1").trim().split("\n")) {
    const [subject, ...row] = line.split("\t");
    for (const result of bySubject.get(subject) ?? []) {
      result.compared += 1;
      if (!result.test(row)) result.wrong.push(row);
    }
  }
  let failed = 0;
  for (const { name, compared, wrong } of results) {
    const right = compared > 0 && wrong.length === 0;
    failed += right ? 0 : 1;
    console.log(`${right ? "ok" : "FAILED"} ${name}: ${compared - wrong.length} of ${compared} ${what}`);
    wrong.slice(0, 3).forEach((row) => console.log(`   ${row.join(" ")}`));
  }
  console.log(`${tests.length - failed} passed, ${failed} failed, 0 skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
};
