//! IDs as values: numbers of any width, their parts, and a type each for ULIDs and ObjectIds.
//!
//! These types are public. The bindings convert them to the types of each language.

mod parts;
#[cfg(target_has_atomic = "64")]
mod typed;
mod value;

pub use parts::Parts;
#[cfg(target_has_atomic = "64")]
pub use typed::{ObjectId, Ulid};
pub use value::{AnyId, IdValue};
