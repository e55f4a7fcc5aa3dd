//! Generators whose IDs a service makes (`saiban serve`): taken in blocks, in advance, so that an ID costs no round trip.
//!
//! [`RemoteGenerator`] is what owners have. A desk holds one process's IDs: a block that threads take from, and the next, which a task on the
//! lease thread fetches. Nothing here decides what an ID is: that is the service's, and reading it the core's.

mod any;
mod desk;
mod form;
mod generator;
mod options;
mod service;

pub use any::AnyRemote;
pub use generator::{RemoteGenerator, RemoteStatus};
pub use options::{MOST_AT_ONCE, RemoteOptions};
