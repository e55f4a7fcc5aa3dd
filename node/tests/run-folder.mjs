// Loaded ahead of each test file (node --import): keeps the cursors that its processes share apart
// from those of other files, which run at the same time, and of other programs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Not in the runner itself, and neither in what a test file starts, which shares its folder.
if (process.env.NODE_TEST_CONTEXT !== undefined && process.env.SAIBAN_TEST_FILE === undefined) {
  const folder = mkdtempSync(join(process.env.SAIBAN_RUN_DIR ?? tmpdir(), 'saiban-run-'));
  process.env.SAIBAN_RUN_DIR = folder;
  process.env.SAIBAN_TEST_FILE = String(process.pid);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
