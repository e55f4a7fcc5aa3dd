//! The pool of this process, which a forked child replaces by one of its own.

use super::{Pool, Supplier};
use crate::Error;
use arc_swap::{ArcSwap, Guard};
use std::mem;
use std::sync::Arc;

/// A pool that a forked child replaces: its connections and items are the parent's.
pub(crate) struct ProcessPool<S: Supplier>(ArcSwap<Pool<S>>);

impl<S: Supplier> ProcessPool<S> {
    pub(crate) fn new(pool: Arc<Pool<S>>) -> Self {
        ProcessPool(ArcSwap::new(pool))
    }

    /// Returns the pool of this process. In a forked child, the pool that `open` makes replaces the
    /// parent's.
    #[inline]
    pub(crate) fn get(
        &self,
        open: impl FnOnce(&Pool<S>) -> Result<Arc<Pool<S>>, Error>,
    ) -> Result<Guard<Arc<Pool<S>>>, Error> {
        let pool = self.0.load();
        if pool.is_copy() { self.replace(pool, open) } else { Ok(pool) }
    }

    #[cold]
    fn replace(
        &self,
        parents: Guard<Arc<Pool<S>>>,
        open: impl FnOnce(&Pool<S>) -> Result<Arc<Pool<S>>, Error>,
    ) -> Result<Guard<Arc<Pool<S>>>, Error> {
        let ours = open(&parents);
        // Leaked: dropping the parent's pool would change counts that only the parent's threads
        // use.
        let parents = mem::ManuallyDrop::new(Guard::into_inner(parents));
        let before = self.0.compare_and_swap(&*parents, ours?);
        if before.is_copy() {
            mem::forget(Guard::into_inner(before));
        }
        Ok(self.0.load())
    }
}

impl<S: Supplier> Drop for ProcessPool<S> {
    fn drop(&mut self) {
        let pool = self.0.load();
        if pool.is_copy() {
            // Its connections are the parent's.
            mem::forget(Guard::into_inner(pool));
        }
    }
}
