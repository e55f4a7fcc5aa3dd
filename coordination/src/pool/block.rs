//! The traits that a pool's user implements: blocks, and the supplier that fetches them.

use crate::Error;
use std::future::Future;
use std::time::Duration;

/// A block of items, from which any number of threads take items.
pub(crate) trait Block: Send + Sync + 'static {
    /// A number or an ID.
    type Item: Copy + Default + Send;
    /// A by-product of taking an item, by which [`Block::is_due`] decides: the time, if items
    /// expire.
    type Shown: Copy;
    /// Whether the pool counts the items that it hands out.
    const IS_COUNTED: bool;

    /// Takes the next item; `None` if no usable item is left.
    fn take(&self) -> Option<(Self::Item, Self::Shown)>;

    /// Takes as many items as are left, up to the length of `items`. Returns their number; `None`
    /// if there was none.
    fn fill(&self, items: &mut [Self::Item]) -> Option<(usize, Self::Shown)> {
        let (mut filled, mut shown) = (0, None);
        while filled < items.len() {
            let Some((item, last)) = self.take() else { break };
            (items[filled], shown) = (item, Some(last));
            filled += 1;
        }
        shown.map(|shown| (filled, shown))
    }

    /// Returns the number of items that the block began with.
    fn count(&self) -> u64;

    /// Returns the number of items that are left, expired or not.
    fn left(&self) -> u64;

    /// Returns whether items are left that may be handed out.
    fn is_usable(&self) -> bool {
        self.left() > 0
    }

    /// Returns whether half of the block is used up, so that the next block is due.
    ///
    /// A block of one item is never due. Otherwise one item would always be prefetched, and lost
    /// when the process ends.
    fn is_due(&self, shown: Self::Shown) -> bool;
}

/// The source of a pool's blocks.
pub(crate) trait Supplier: Send + Sync + 'static {
    /// The type of its blocks.
    type Block: Block;

    /// Returns a block without items.
    fn empty(&self) -> Self::Block;

    /// Fetches a block of about this many items.
    fn fetch(&self, count: u64) -> impl Future<Output = Result<Self::Block, Error>> + Send;

    /// Returns for how long a fetch is retried while the server cannot be reached.
    fn wait(&self) -> Duration;

    /// Returns the error for a block whose items had expired when it arrived.
    fn expired(&self, block: &Self::Block) -> Error;

    /// Returns the error for a caller that has waited this long for a block.
    fn late(&self, wait: Duration) -> Error;
}

/// The items of a supplier's blocks.
pub(crate) type Item<S> = <<S as Supplier>::Block as Block>::Item;
