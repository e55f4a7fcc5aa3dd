#!/usr/bin/env node
// The command `saiban`: the same program as in Rust and Python, in this process.

import { native } from '#host';

process.exitCode = native.runCli(process.argv.slice(2));
