// The examples of the documentation: code blocks marked ts, in README.md and in the comments of
// src/, and the output in their comments.

import { readFileSync, readdirSync } from 'node:fs';

/** Returns the examples of a file. */
function examples(name, text) {
  const blocks = text.matchAll(/^(?: *\* )?```ts\n(.*?)^(?: *\* )?```$/gms);
  return [...blocks].map(([, block], index) => {
    const code = block.replace(/^ *\* ?/gm, '');
    const prints = [...code.matchAll(/console\.log\(.*\);(?: \}\))? \/\/ (.*)$/gm)].map(([, printed]) => printed);
    return { name: `${name.replace(/\W/g, '-')}-${index + 1}`, code, prints };
  });
}

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** All examples. */
export const documented = [
  ...readdirSync(new URL('../src', import.meta.url))
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => examples(name, read(`../src/${name}`))),
  ...examples('README.md', read('../README.md')),
];

/** Returns whether an example imports a package other than saiban and those of Node. */
export function usesFramework({ code }) {
  return [...code.matchAll(/ from '([^']+)'/g)].some(([, name]) => !/^(?:saiban(?:\/|$)|node:)/.test(name));
}
