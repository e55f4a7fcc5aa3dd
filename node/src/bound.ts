// Functions of an object that need no `this`, so that a program can pass them on, such as
// `$defaultFn(ids.generate)`.

/**
 * Defines functions as properties of an object. They are not enumerable: `structuredClone` copies
 * no functions, and `deepEqual` does not compare them. @internal
 */
export function define(object: object, functions: object): void {
  for (const [name, value] of Object.entries(functions)) {
    Object.defineProperty(object, name, { value, writable: true, configurable: true });
  }
}

/** Returns these methods of an object, bound to it. @internal */
export function bound<Name extends string>(object: Readonly<Record<Name, () => unknown>>, names: readonly Name[]): object {
  return Object.fromEntries(names.map((name) => [name, object[name].bind(object)]));
}
