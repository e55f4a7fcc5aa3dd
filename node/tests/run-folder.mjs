// Loaded before each test file (node --import): separates the cursor files of its processes from
// those of parallel test files and of other programs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Not in the runner, and not in processes of a test file, which share its folder.
if (process.env.NODE_TEST_CONTEXT !== undefined && process.env.SAIBAN_TEST_FILE === undefined) {
  const folder = mkdtempSync(join(process.env.SAIBAN_RUN_DIR ?? tmpdir(), 'saiban-run-'));
  process.env.SAIBAN_RUN_DIR = folder;
  process.env.SAIBAN_TEST_FILE = String(process.pid);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
