// The commands in docs/service.md work.

import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Fleet } from "./service.mjs";

const TEXT = readFileSync(new URL("../../../docs/service.md", import.meta.url), "utf8");
const HOST = "127.0.0.1:7609";

let fleet, service;

before(async () => {
  fleet = new Fleet();
  // The service has the built-in schemes, and the scheme of the page's example.
  service = await fleet.start(0, { SAIBAN_SERVE_SCHEMES__SNOWFLAKE__SCHEME: "snowflake" });
});

after(() => fleet?.close());

// Each line runs unchanged, except for the instance's own port; curl's exit code shows whether the
// request succeeded.
const lines = [...TEXT.matchAll(/^ {4}\$ (curl .*)$/gm)].map(([, line]) => line).filter((line) => line.includes(HOST));
for (const line of lines) {
  test(line, () => {
    const command = line.replace(HOST, service.url.slice("http://".length)).replace(/^curl/, "curl --silent --show-error --fail-with-body");
    const answer = execFileSync("sh", ["-c", command], { cwd: fleet.folder, encoding: "utf8" });
    assert.doesNotMatch(answer, /"error":\{/);
  });
}

const { paths = {} } = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));
test("every HTTP operation is documented", () => {
  assert.notEqual(Object.keys(paths).length, 0);
  // The files of the pages are not part of the documented operations.
  const isFile = (path) => /\.(css|js|svg)$/.test(path);
  for (const path of Object.keys(paths).filter((path) => !isFile(path))) {
    const last = path.split("/").filter((part) => part && !part.startsWith("{")).at(-1) ?? "";
    assert.ok(TEXT.includes(`/${last}`), path);
  }
});

test("every metric is in the table", async () => {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const names = [...metrics.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  assert.ok(names.length > 5);
  for (const name of names) assert.ok(TEXT.includes(`\`${name}`), name);
});
