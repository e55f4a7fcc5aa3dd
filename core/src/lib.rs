//! saiban (採番, "handing out numbers"): IDs that are unique across machines, without a database
//! round trip.
//!
//! ```
//! use saiban::{Generator, SnowflakeGenerator};
//! let ids = SnowflakeGenerator::new(7)?;              // node 7: no other machine uses it
//! let id = ids.generate()?;                  // i64: fits a BIGINT column
//! assert_eq!(ids.inspect(id)?.node, Some(7));
//! # Ok::<(), saiban::Error>(())
//! ```
//!
//! This crate is also the core of saiban for Python, Node, Kotlin, Swift and C: all rules are here,
//! and the bindings only convert. Data flows one way: [`layout`] → [`clock`] → [`cursor`] →
//! [`generator`] → [`id`] → [`encoding`].
//!
//! Features, the first three on by default:
//!
//! - `std`: the system's clock and randomness, waiting, and one cursor per node in a process. It
//!   needs a target with 64-bit atomics. Without `std`, you provide the clock and the randomness,
//!   and [`LocalCursor`](cursor::LocalCursor) serves targets without 64-bit atomics.
//! - `pooled-entropy`: a pool of randomness for each thread, for schemes that need random bits for
//!   each ID.
//! - `simd`: encrypts Randflakes with the widest registers of the machine.
//! - `alloc` (part of `std`): lists. Without `alloc`, saiban needs no allocator.
//! - `json`: layouts as JSON.
//! - `serde`: IDs in serde's formats: [`Ulid`] and [`ObjectId`] as text, and integers by the
//!   modules of [`serde`], as text in human-readable formats only.
//! - `uuid`: UUIDs as the type of the crate `uuid`.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
// A truncating cast once repeated IDs on targets with a 32-bit `usize`.
#![deny(clippy::cast_possible_truncation)]
// Some code that all schemes share is used only by schemes that need 64-bit atomics.
#![cfg_attr(not(target_has_atomic = "64"), allow(dead_code))]

#[cfg(all(feature = "std", not(target_has_atomic = "64")))]
compile_error!("saiban's feature `std` needs 64-bit atomics, which this target lacks: use saiban without it");

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[macro_use]
mod macros;

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
mod prefix;
#[cfg(feature = "std")]
pub mod process;
pub mod scheme;
#[cfg(feature = "alloc")]
mod script;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(feature = "std")]
mod state;
mod sync;

pub use cipher::Secret;
#[cfg(feature = "std")]
pub use clock::AnyClock;
#[cfg(target_has_atomic = "64")]
pub use clock::ManualClock;
#[cfg(all(feature = "std", target_has_atomic = "64"))]
pub use clock::TickingClock;
pub use clock::{Clock, SystemClock};
#[cfg(target_has_atomic = "64")]
pub use counter::Counter;
pub use counter::Stride;
pub use encoding::{Encoding, Leniency, Text, UuidForm};
#[cfg(feature = "pooled-entropy")]
pub use entropy::PooledEntropy;
pub use entropy::{Entropy, OsEntropy};
pub use error::{CursorFileProblem, Error, ErrorKind, Excerpt, LayoutProblem, OptionProblem, StateProblem};
pub use generator::*;
pub use id::{AnyId, IdValue, Parts};
#[cfg(target_has_atomic = "64")]
pub use id::{ObjectId, Ulid};
pub use insert::{InsertError, insert_unique, insert_unique_async};
pub use inspect::Inspector;
pub use layout::{Layout, LayoutSpec};
pub use prefix::Prefix;
pub use scheme::Scheme;
