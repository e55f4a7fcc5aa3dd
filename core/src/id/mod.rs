//! What an ID is made of: value types that every language has.

mod parts;
mod scheme;
mod value;

pub use parts::Parts;
pub use scheme::Scheme;
pub use value::{AnyId, IdValue};
