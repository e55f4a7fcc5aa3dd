//! saiban for C. The header `include/saiban.h` is made of these files by `bindings/c/generate-header`.
//!
//! No rule of ID making lives here, only conversions: pointers to references, errors to numbers and a message. Every
//! exported function is defined by one macro, [`ffi::ffi`], which checks the pointers and stops panics.

#![allow(dead_code, reason = "most constants are there for the header only")]

mod answers;
mod candidates;
mod clock;
mod counter;
mod encoding;
mod error;
mod ffi;
mod flake;
mod generator;
mod insert;
mod inspect;
mod layout;
mod lease;
mod names;
mod node;
mod object_id;
mod options;
mod parts;
mod randflake;
mod range;
mod remote;
mod rollback;
mod scope;
mod snowflake;
mod stats;
mod tick_id;
mod ulid;
mod ulid_flake;
mod uuid;
mod wide;
