//! saiban for Kotlin and Swift.
//!
//! Conversions only: every rule lives in core. UniFFI makes the C functions from what is marked here, and `../generate` writes
//! the Kotlin and Swift sources from the built library, with these comments as their documentation. What each language
//! adds of its own (its names for time, overloads) is in the packages `../kotlin` and `../swift`.

#![forbid(unsafe_code)]
// UniFFI takes arguments by value: they are made for this call.
#![allow(clippy::needless_pass_by_value)]

uniffi::setup_scaffolding!();

mod clock;
mod convert;
mod encoding;
mod error;
mod generator;
mod inspect;
mod layout;
mod parts;
mod randflake;
mod rollback;
mod snowflake;
mod stats;
mod ulid_flake;

pub use clock::ManualClock;
pub use convert::{Ids, Interval};
pub use encoding::{decode, encode, encodings};
pub use error::{Kind, SaibanError, error_kinds, throw_error};
pub use generator::AnyGenerator;
pub use inspect::{inspect, inspect_text};
pub use layout::{Field, Layout};
pub use parts::Parts;
pub use randflake::Randflake;
pub use rollback::Rollback;
pub use snowflake::Snowflake;
pub use stats::{Guarantee, Stats};
pub use ulid_flake::UlidFlake;
