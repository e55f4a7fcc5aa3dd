// What Node provides. host-browser.ts replaces this file in browsers (package.json, "imports").

/** Timers that jest's fake ones never replace. @internal */
export * as timers from 'node:timers';
export { native } from './load-native.js';
