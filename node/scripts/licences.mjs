// Copies the repository's licence files to the folder that npm packs.
import { copyFileSync, readdirSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
for (const name of readdirSync(root).filter((name) => name.startsWith('LICENSE'))) {
  copyFileSync(new URL(name, root), new URL(`../${name}`, import.meta.url));
}
