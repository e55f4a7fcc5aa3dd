// What `console.log` and `util.inspect` show of an object.

import { present } from './arguments.js';

/** The name of the method that `util.inspect` calls. @internal */
export const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** What is shown in place of a secret. @internal */
export const HIDDEN = { [INSPECT]: () => '<hidden>' };

/**
 * Returns an object that `util.inspect` shows as one of this class with these facts, without the
 * `undefined` ones. @internal
 */
export function shown(name: string, facts: object): object {
  const Named = { [name]: class {} }[name] as new () => object;
  return Object.assign(new Named(), present(facts));
}
