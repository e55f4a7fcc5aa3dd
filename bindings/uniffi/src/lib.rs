//! saiban for Kotlin and Swift.
//!
//! This crate only converts: every rule is in core. UniFFI makes C functions from the marked items,
//! and `../generate` writes the Kotlin and Swift sources from the built library, with these
//! comments as their documentation. `jni` and `swift` have what UniFFI
//! is too slow for. The packages `../kotlin` and `../swift` add what is specific to
//! a language, such as its types for time, and overloads.

#![deny(unsafe_code)]
// UniFFI makes the arguments for each call, and passes them by value.
#![allow(clippy::needless_pass_by_value)]

uniffi::setup_scaffolding!();

mod class;
mod clock;
mod compose;
mod convert;
mod counter;
mod crossing;
mod encoding;
mod error;
mod generator;
mod inspect;
mod issuing;
mod jni;
mod layout;
mod lease;
mod number;
mod options;
mod parts;
mod range;
mod remote;
mod rollback;
mod schemes;
mod scope;
mod stats;
mod swift;
mod tick_order;

pub use clock::ManualClock;
pub use convert::{Ids, Interval};
pub use counter::{Counter, CounterStatus, DailyCounter, DailyNumber, SharedCounter};
pub use encoding::{decode, decode_wide, encode, encode_wide, encodings};
pub use error::{Kind, SaibanError, error_kinds, throw_error};
pub use generator::{AnyBytesGenerator, AnyGenerator, AnyTextGenerator, AnyUuidGenerator, BytesSource};
pub use inspect::{Candidate, Reason, candidates_of_bytes, candidates_of_id, candidates_of_text};
pub use layout::{Capacity, Field, Layout, Place, Rate};
pub use lease::{Lease, LeaseStatus};
pub use number::{Natural, UuidValue, uuid_from_guid_bytes, uuid_to_guid_bytes};
pub use parts::Parts;
pub use range::{BytesRange, IdRange, TextRange, UuidRange};
pub use remote::{RemoteGenerator, RemoteStatus, RemoteTextGenerator, RemoteUuidGenerator};
pub use rollback::Rollback;
pub use schemes::*;
pub use scope::Scope;
pub use stats::{Guarantee, Stats};
pub use tick_order::TickOrder;
