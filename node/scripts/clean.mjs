// Removes tsc's earlier output, so that the package contains no file whose source was deleted.
import { rmSync } from 'node:fs';

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
