//! Generators whose IDs a service makes (`saiban serve`). IDs are fetched in blocks, in advance, so
//! that an ID costs no round trip.
//!
//! [`RemoteGenerator`] and [`AnyRemote`] are the public types. Each process has a pool: threads
//! take IDs from one block, and a task on the runtime's thread fetches the next. The service
//! decides what an ID is, and the core reads it.

mod any;
mod form;
mod generator;
mod options;
mod service;
mod supply;

pub use any::AnyRemote;
pub use generator::{RemoteGenerator, RemoteStatus};
pub use options::{MAX_AT_ONCE, RemoteOptions};
