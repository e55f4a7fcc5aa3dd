//! The block cipher under Randflake, and the secret that keys it.

mod many;
mod secret;
mod sparx;

pub use secret::Secret;
pub use sparx::Sparx64;
