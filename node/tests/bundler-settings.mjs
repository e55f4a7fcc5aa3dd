// The settings of bundlers in README.md, by bundler.

import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [, section] = readme.match(/^## Bundlers\n(.*?)^## /ms);

/** The first code of each row of the table. */
export const SETTINGS = Object.fromEntries(
  [...section.matchAll(/^\| (\S+).*? \| `(.*?)`/gm)].map(([, name, setting]) => [name, setting]),
);

/** A program that makes an ID, with one of the helpers. */
export const IMPORTS = "import { Snowflake } from 'saiban';\nimport { IdTexts } from 'saiban/texts';\n";
export const EXPRESSION = "typeof new IdTexts('snowflake').read(new Snowflake({ node: 1 }).generateText())";
