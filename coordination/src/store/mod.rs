//! The stores: they keep the leases of a fleet, and its counters.
//!
//! Every store follows the rules of [`crate::lease::protocol`] and [`crate::counter::protocol`].
//! The stores differ in how they make a change atomic, and in where they get the time. [`open()`]
//! opens the store that a URL names. Callers use it through the traits [`Store`] and [`Numbers`].

#![cfg_attr(
    not(all(
        feature = "sqlite",
        feature = "postgres",
        feature = "mysql",
        feature = "redis",
        feature = "etcd",
        feature = "zookeeper",
        feature = "coordinator"
    )),
    allow(dead_code, reason = "each store uses a part of what all have in common")
)]

mod calls;
#[cfg(feature = "coordinator")]
mod coordinator;
#[cfg(any(feature = "etcd", feature = "zookeeper", feature = "coordinator"))]
mod endpoints;
mod errors;
#[cfg(feature = "etcd")]
mod etcd;
mod leases;
#[cfg(any(feature = "etcd", feature = "coordinator"))]
mod members;
mod memory;
mod numbers;
mod open;
#[cfg(any(feature = "etcd", feature = "zookeeper"))]
mod optimistic;
#[cfg(any(feature = "etcd", feature = "zookeeper"))]
mod records;
#[cfg(feature = "redis")]
mod redis;
mod shared;
#[cfg(any(feature = "sqlite", feature = "postgres", feature = "mysql"))]
pub mod sql;
mod url;
mod values;
#[cfg(feature = "zookeeper")]
mod zookeeper;

#[cfg(feature = "coordinator")]
pub use coordinator::wire;
#[cfg(feature = "coordinator")]
pub(crate) use coordinator::{Gateway, Question};
pub use leases::{Listing, Store};
pub use memory::MemoryStore;
pub use numbers::Numbers;
pub(crate) use open::key_of_store;
pub use open::open;
pub(crate) use shared::Source;
pub use url::StoreUrl;
pub(crate) use values::draw;
