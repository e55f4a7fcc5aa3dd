// One implementation for `import` and `require`, so that a program that uses both has one set of
// classes.
export * from './index.js';
