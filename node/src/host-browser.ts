// What browsers provide, for host.ts: global timers, and the package @saiban/wasm.

import type * as Native from './native.js';

/** @internal */
export const timers = { setTimeout: globalThis.setTimeout.bind(globalThis) };

/** @internal */
export const native = require('@saiban/wasm') as typeof Native;
