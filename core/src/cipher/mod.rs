//! The block cipher of Randflake (SPARX-64/128), and the secret that is its key.

mod many;
mod schedule;
mod secret;
mod sparx;

pub use secret::Secret;
pub use sparx::Sparx64;
