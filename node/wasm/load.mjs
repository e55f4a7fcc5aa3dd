// Loads saiban's WebAssembly: the native half of the package `saiban`, with the same functions.
// esbuild makes one file of this, of emnapi and of the module.

import { instantiateNapiModuleSync } from '@emnapi/core';
import { asyncWork, tsfn } from '@emnapi/core/plugins';
import { createContext } from '@emnapi/runtime';
import code from 'saiban.wasm';
import { wasi } from './wasi.mjs';

/** 64 KiB each, as many as the module asks for. */
const PAGES = { initial: 1024, maximum: 65_536 };
const memory = new WebAssembly.Memory(PAGES);

function compiled() {
  try {
    return new WebAssembly.Module(code);
  } catch (cause) {
    throw new Error("saiban's WebAssembly could not be compiled: use a runtime that lets programs compile it", { cause });
  }
}

const { napiModule } = instantiateNapiModuleSync(compiled(), {
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

export default napiModule.exports;
