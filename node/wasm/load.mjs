// Loads saiban's WebAssembly: the native half of the package `saiban`, with the same functions.
// esbuild makes one file of this, of emnapi and of the module, and sets VERSION.

import { instantiateNapiModuleSync } from '@emnapi/core';
import { asyncWork, tsfn } from '@emnapi/core/plugins';
import { createContext } from '@emnapi/runtime';
import code from 'saiban.wasm';
import { wasi } from './wasi.mjs';

/** The memory, in pages of 64 KiB: the module's stack has 61 MiB of it at first. */
const PAGES = { initial: 1024, maximum: 65_536 };

/** Returns the module, compiled, and its memory. */
function compiled() {
  try {
    return [new WebAssembly.Module(code), new WebAssembly.Memory(PAGES)];
  } catch (cause) {
    const why = `saiban's WebAssembly could not be compiled (${cause.message})`;
    throw new Error(`${why}: use a runtime, and a content security policy, that let programs compile it`, { cause });
  }
}

function load() {
  const [module, memory] = compiled();
  const { napiModule } = instantiateNapiModuleSync(module, {
    context: createContext(),
    plugins: [asyncWork, tsfn],
    overwriteImports: ({ env, napi, emnapi, ...others }) => ({
      ...others,
      napi,
      env: { ...env, ...napi, ...emnapi, memory },
      wasi_snapshot_preview1: wasi(() => memory),
    }),
    beforeInit({ instance: { exports } }) {
      exports._initialize();
      for (const [name, register] of Object.entries(exports)) if (name.startsWith('__napi_register__')) register();
    },
  });
  return napiModule.exports;
}

// Two bundles of a page share one module, so that generators with one node do not repeat each
// other.
const key = Symbol.for(`@saiban/wasm ${VERSION}`);
export default globalThis[key] ??= load();
