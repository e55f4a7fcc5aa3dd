//! saiban for Node: the native half of the npm package `saiban`.
//!
//! This crate has no rules about IDs. Each file converts the values of core's module of that name.
//! `node/src` has the classes that users see, their documentation, and the checks of JavaScript
//! types. No file is about one scheme: core's registry has their differences.
//!
//! Imports go one way: `raw` and `written`, then `integer` and `error`, then arguments and results
//! (`form`, `compose`, `parts`, `layout`, `options`, `lease`, …), then `generator`, then `remote`.
//!
//! **The form of a generator.** A call from JavaScript takes longer than making an ID, so we
//! measured several forms (Node 20, ns a call, minimum of 12 runs):
//!
//! | shape | ns |
//! |---|---|
//! | napi-rs class method → BigInt | 233 |
//! | napi-rs class method → a shared `BigInt64Array` that JavaScript reads | 232 |
//! | plain function with the class instance, an `External` or the array as an argument | 242, 111, 121 |
//! | **a function made for each generator, a closure over it → BigInt** | **28** |
//! | the same → a shared `BigInt64Array` | 25 |
//! | a callback written by hand with `napi-sys`, → BigInt, → a shared array | 22, 18 |
//!
//! Looking up and borrowing the native object takes most of the time. A closure has nothing to look
//! up, napi-rs catches its panics, and it needs no `unsafe`. So a generator is an object of
//! functions, which `generator.rs` makes for all schemes. Functions that are called for each ID and
//! take no arguments (`generate`, `tryGenerate`, `generateText`) are hand-written callbacks in
//! `raw.rs`, and `generate` leaves numbers in an array. With the work of a Snowflake (`bench/node`,
//! one process), a closure took 113 ns, and this callback takes 81 ns. Schemes differ in the type
//! of an ID in JavaScript: a bigint of 64 bits, a wider bigint, or text. `form.rs` has a type for
//! each, so that no scheme is slower because of another.
//!
//! A `catch_unwind`, in napi-rs or in `raw.rs`, stops panics. They reach JavaScript as errors of
//! the kind `INTERNAL`.

#![deny(unsafe_code)]

#[cfg(not(target_family = "wasm"))]
mod cli;
mod clock;
mod compose;
mod counter;
mod encoding;
mod error;
mod form;
mod generator;
mod inspect;
mod integer;
mod layout;
mod lease;
mod names;
mod options;
mod parts;
#[allow(unsafe_code)]
mod raw;
#[cfg(not(target_family = "wasm"))]
mod remote;
mod stats;
mod waiting;
mod written;
