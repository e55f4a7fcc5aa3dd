//! A generator of the core, which may have a state file: whatever blocks on the disk is done without the GIL.

use crate::error::Result;
use pyo3::prelude::*;
use saiban::{Error, IdValue, Options};
use std::ops::Deref;
use std::sync::Arc;

/// A generator that threads may share, whatever its scheme.
pub trait AnyGenerator<I: IdValue>: saiban::Generator<I> + Send + Sync + 'static {}

impl<I: IdValue, T: saiban::Generator<I> + Send + Sync + 'static> AnyGenerator<I> for T {}

/// A generator in shared ownership. Who lets go of it last closes its state file.
pub struct Held<T: ?Sized + Send + Sync + 'static> {
    /// There until it is dropped.
    ids: Option<Arc<T>>,
    has_state: bool,
}

impl<T: Send + Sync> Held<T> {
    /// Makes a generator, without the GIL: that may open a state file.
    pub fn build(
        py: Python<'_>,
        options: &Options,
        build: impl FnOnce() -> std::result::Result<T, Error> + Send,
    ) -> Result<Self> {
        Ok(Held { ids: Some(Arc::new(py.detach(build)?)), has_state: options.state.is_some() })
    }

    /// The same generator, whatever its scheme.
    pub fn share<I: IdValue>(&self) -> Held<dyn AnyGenerator<I>>
    where
        T: AnyGenerator<I>,
    {
        Held { ids: self.ids.clone().map(|ids| ids as _), has_state: self.has_state }
    }
}

impl<T: ?Sized + Send + Sync> Held<T> {
    /// Whether an ID may have to wait for the disk.
    pub fn may_block(&self) -> bool {
        self.has_state
    }
}

impl<T: ?Sized + Send + Sync> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.ids.as_ref().expect("nobody has it once it is dropped")
    }
}

impl<T: ?Sized + Send + Sync> Drop for Held<T> {
    fn drop(&mut self) {
        if self.has_state {
            let ids = self.ids.take();
            // At the interpreter's end there is no GIL to let go of.
            let _ = Python::try_attach(move |py| py.detach(move || drop(ids)));
        }
    }
}
