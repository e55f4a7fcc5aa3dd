//! Pools of numbers or IDs, which a server hands out in blocks.
//!
//! A pool hands out one block while the next is prefetched in the background. Counters and remote
//! generators use pools; they define the blocks and where these come from.

mod block;
#[cfg_attr(not(feature = "coordinator"), allow(dead_code, reason = "remote generators show more of a pool"))]
mod prefetch;
mod process;
pub(crate) mod retry;
mod size;

pub(crate) use block::{Block, Item, Supplier};
pub(crate) use prefetch::{Pool, PoolStatus};
pub(crate) use process::ProcessPool;
pub use size::MAX_BLOCK_SIZE;
pub(crate) use size::Size;
