// The common parts of the tests of leases: new stores, and checks of errors.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect as picture } from 'node:util';
import { SaibanError } from 'saiban';

/** A folder of this file's tests. */
export const folder = mkdtempSync(join(tmpdir(), 'saiban-'));
after(() => rmSync(folder, { recursive: true }));

export const secret = Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex');

let stores = 0;
/** Returns the URL of a new store in memory. */
export const memory = () => `memory:lease-test-${(stores += 1)}`;
/** Returns the URL of a new store in a file. */
export const sqlite = () => `sqlite://${join(folder, `${(stores += 1)}.sqlite3`)}`;

/** Waits until the condition holds, and fails after a minute or two. */
export async function until(condition) {
  for (let tries = 0; !(await condition()); tries += 1) {
    assert.ok(tries < 12_000, `it did not come so: ${condition}`);
    await sleep(5);
  }
}

/** Returns the SaibanError with which a promise or call fails. */
export async function refused(call) {
  let caught;
  try {
    await (typeof call === 'function' ? call() : call);
  } catch (error) {
    caught = error;
  }
  assert.ok(caught instanceof SaibanError, picture(caught));
  return caught;
}

export async function refuses(code, message, call) {
  const error = await refused(call);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
}
