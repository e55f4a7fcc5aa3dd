//! saiban (採番, "handing out numbers"): IDs that are unique across machines without asking a database each time.
//!
//! ```
//! use saiban::{Generator, Snowflake};
//! let ids = Snowflake::new(7)?;              // node 7, which no other machine has
//! let id = ids.generate()?;                  // i64: fits a BIGINT column
//! assert_eq!(ids.inspect(id)?.node, Some(7));
//! # Ok::<(), saiban::Error>(())
//! ```
//!
//! The crate is the core of the same library for Python, Node, Kotlin, Swift and C: every rule lives here, and they convert.
//! Data flows one way: [`layout`] → [`clock`] → [`cursor`] → [`generator`] → [`id`] → [`encoding`].
//!
//! Features: `std` (on by default: the system's clock and randomness, waiting, one cursor per node in a process), `alloc`
//! (lists), `json` (layouts as JSON), `uuid` (UUIDs as the type of the crate `uuid`). Without them no allocator is needed; clock and randomness are then yours to bring. `std` needs a
//! target with 64-bit atomics; without it `LocalCursor` serves those that have none.

#![no_std]
#![deny(unsafe_code)]
// A cast that cuts a number repeated IDs once, where usize has 32 bits.
#![deny(clippy::cast_possible_truncation)]
// Some of what all schemes are made of is used only by those that need 64-bit atomics.
#![cfg_attr(not(target_has_atomic = "64"), allow(dead_code))]

#[cfg(all(feature = "std", not(target_has_atomic = "64")))]
compile_error!("saiban's feature `std` needs 64-bit atomics, which this target lacks: use saiban without it");

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod bits;
pub mod cipher;
pub mod clock;
pub mod counter;
pub mod cursor;
pub mod encoding;
pub mod entropy;
pub mod error;
pub mod generator;
pub mod id;
mod insert;
pub mod inspect;
pub mod layout;
#[cfg(feature = "std")]
pub mod nodes;
#[cfg(feature = "std")]
pub mod process;
#[cfg(feature = "alloc")]
mod script;
#[cfg(feature = "std")]
mod state;
mod sync;

pub use cipher::Secret;
#[cfg(feature = "std")]
pub use clock::AnyClock;
#[cfg(target_has_atomic = "64")]
pub use clock::ManualClock;
pub use clock::{Clock, SystemClock};
#[cfg(target_has_atomic = "64")]
pub use counter::Counter;
pub use counter::Stride;
pub use encoding::{Encoding, Leniency, Text, UuidForm};
#[cfg(feature = "std")]
pub use entropy::PooledEntropy;
pub use entropy::{Entropy, OsEntropy};
pub use error::{CursorFileProblem, Error, ErrorKind, Excerpt, LayoutProblem, StateProblem};
#[cfg(feature = "std")]
pub use generator::Grant;
pub use generator::{
    Attempt, Generator, Guarantee, Options, Randflake, Rollback, Scope, Snowflake, Stats, UlidFlake, UlidFlakeFormat,
};
#[cfg(target_has_atomic = "64")]
pub use generator::{Flake, ObjectId, TickId, TickOrder, Ulid, Uuid, WideFlake};
pub use id::{AnyId, IdValue, Parts, Scheme};
pub use insert::{InsertError, insert_unique, insert_unique_async};
pub use inspect::Inspector;
pub use layout::{Layout, LayoutSpec};
