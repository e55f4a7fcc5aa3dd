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
mod counter;
mod encoding;
mod error;
mod flake;
mod generator;
mod inspect;
mod layout;
mod lease;
mod number;
mod object_id;
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

pub use clock::ManualClock;
pub use convert::{Ids, Interval};
pub use counter::{Counter, CounterStatus, DailyCounter, DailyNumber, SharedCounter};
pub use encoding::{decode, decode_wide, encode, encode_wide, encodings};
pub use error::{Kind, SaibanError, error_kinds, throw_error};
pub use flake::{Flake, WideFlake};
pub use generator::AnyGenerator;
pub use inspect::{Candidate, Reason, candidates_of_bytes, candidates_of_id, candidates_of_text};
pub use layout::{Capacity, Field, Layout, Place, Rate};
pub use lease::{Lease, LeaseStatus};
pub use number::{Natural, UuidValue};
pub use object_id::ObjectId;
pub use parts::Parts;
pub use randflake::Randflake;
pub use range::{BytesRange, IdRange, TextRange, UuidRange};
pub use remote::{RemoteGenerator, RemoteStatus, RemoteTextGenerator, RemoteUuidGenerator};
pub use rollback::Rollback;
pub use scope::Scope;
pub use snowflake::Snowflake;
pub use stats::{Guarantee, Stats};
pub use tick_id::{TickId, TickOrder};
pub use ulid::Ulid;
pub use ulid_flake::UlidFlake;
pub use uuid::{Uuid, uuid_from_guid_bytes, uuid_to_guid_bytes};
