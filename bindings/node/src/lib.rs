//! saiban for Node: the native half of the npm package `saiban`.
//!
//! No rule of ID making lives here. Each file converts what the file of the same name in core has;
//! `node/src` holds the classes that people see, their documentation and the checks of JavaScript
//! types. No file is about one
//! scheme: core's registry knows how they differ.
//!
//! Imports run one way: `raw` and `written`, then `integer` and `error`, then what goes in and
//! comes out (`form`, `compose`, `parts`, `layout`, `options`, `lease`, …), then `generator`, then
//! `remote`.
//!
//! **The shape of a generator.** A call from JavaScript costs more than making an ID, so the shape
//! was measured (Node 20, ns a call, minimum of 12 runs):
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
//! Looking up and borrowing the native object is what costs. A closure has nothing to look up;
//! napi-rs catches its panics; and it needs no `unsafe`. So a generator is an object of functions,
//! made once for all schemes in `generator.rs`. Those that are called for each ID and take no
//! arguments (`generate`, `tryGenerate`, `generateText`) are callbacks by hand, in `raw.rs`, and
//! `generate` leaves numbers in an array: in one process with the work of a Snowflake in it
//! (`bench/node`), a closure took 113 ns and this takes 81. What differs between schemes is what an
//! ID is in JavaScript, a bigint of 64 bits or more or text: `form.rs` has a type for each, so that
//! none pays for another.
//!
//! Panics end in a `catch_unwind`, napi-rs's or that of `raw.rs`, and reach JavaScript as the kind
//! `INTERNAL`.

#![deny(unsafe_code)]

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
mod remote;
mod stats;
mod waiting;
mod written;
