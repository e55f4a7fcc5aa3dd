#!/usr/bin/env node
// The command `saiban`: the same program as in Rust and Python, in this process.

import { native } from '#host';

// WebAssembly has no command.
if (native.runCli === undefined) {
  console.error('saiban: the command needs the native library: run it on a system that has one');
  process.exitCode = 1;
} else {
  process.exitCode = native.runCli(process.argv.slice(2));
}
