// Usage: node main.mjs [--rounds N] [--ms M]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cases } from './cases.mjs';
import { measured } from './measure.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' }, ms: { type: 'string', default: '20' } } });
const [rounds, ms] = [Number(values.rounds), Number(values.ms)];
if (!(Number.isInteger(rounds) && rounds > 0 && ms > 0)) throw new Error('give --rounds N, 1 or more, and --ms M, more than 0');

/**
 * Returns the version of the package whose name begins `who`, or Node's version for its own
 * functions.
 */
function version(who) {
  const [name] = who.split(',');
  try {
    return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;
  } catch {
    return process.versions.node;
  }
}

const print = (line) => console.log(JSON.stringify(line));

print({ machine: { language: 'node', runtime: `Node ${process.versions.node}` } });
const all = measured(cases, rounds, ms);
cases.forEach(({ path, who }, index) => {
  print({ path: `node.${path}`, who, version: version(who), ns: all[index].map((ns) => Number(ns.toFixed(3))) });
});
