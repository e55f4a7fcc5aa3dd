//! A generator of the core, which may have a state file or a lease: whatever blocks on the disk, or on a server, is done without the GIL.

use crate::error::{Failure, Result};
use crate::lease::Kept;
use pyo3::prelude::*;
use saiban::{Error, IdValue, Options};
use saiban_coordination::{Issuer, RemoteGenerator};
use std::ops::Deref;
use std::sync::Arc;

/// A generator that threads may share, whatever its scheme.
pub trait AnyGenerator<I: IdValue>: saiban::Generator<I> + Send + Sync + 'static {
    /// What an error means where the nodes are a lease's, or the IDs a service's. It may wait for a store.
    fn explain(&self, error: Error) -> saiban_coordination::Error;
}

impl<I: IdValue, T: saiban::Generator<I> + Send + Sync + 'static> AnyGenerator<I> for Issuer<T> {
    fn explain(&self, error: Error) -> saiban_coordination::Error {
        Issuer::explain(self, error)
    }
}

macro_rules! remote {
    ($($id:ty),+) => { $(
        impl AnyGenerator<$id> for RemoteGenerator<$id> {
            fn explain(&self, error: Error) -> saiban_coordination::Error {
                RemoteGenerator::explain(self, error)
            }
        }
    )+ };
}

remote!(i64, u128);

/// A generator in shared ownership. Who lets go of it last closes its state file.
pub struct Held<T: ?Sized + Send + Sync + 'static> {
    /// There until it is dropped.
    ids: Option<Arc<T>>,
    has_state: bool,
    lease: Option<Arc<Kept>>,
}

/// A generator of this scheme, with nodes of its own or a lease's, or without any.
pub type Issued<T> = Held<Issuer<T>>;

impl<T: Send + Sync> Issued<T> {
    /// Makes a generator that has no use for a lease, without the GIL: that may open a state file.
    pub fn build(
        py: Python<'_>,
        options: &Options,
        build: impl FnOnce() -> std::result::Result<T, Error> + Send,
    ) -> Result<Self> {
        let ids = Arc::new(Issuer::Own(py.detach(build)?));
        Ok(Held { ids: Some(ids), has_state: options.state.is_some(), lease: None })
    }

    /// Makes a generator of these options, or of a lease's nodes and them, without the GIL.
    pub fn issue(
        py: Python<'_>,
        lease: Option<Arc<Kept>>,
        options: Options,
        build: impl Fn(&Options) -> std::result::Result<T, Error> + Send + Sync + 'static,
    ) -> Result<Self> {
        let Some(lease) = lease else { return Self::build(py, &options, || build(&options)) };
        let has_state = options.state.is_some();
        let ids = lease.ask(py, || Issuer::new(Some(lease.core()), options, build))?;
        Ok(Held { ids: Some(Arc::new(ids)), has_state, lease: Some(lease) })
    }

    /// The same generator, whatever its scheme.
    pub fn share<I: IdValue>(&self) -> Held<dyn AnyGenerator<I>>
    where
        Issuer<T>: AnyGenerator<I>,
    {
        Held { ids: self.ids.clone().map(|ids| ids as _), has_state: self.has_state, lease: self.lease.clone() }
    }
}

impl<I: IdValue> Held<dyn AnyGenerator<I>> {
    /// A generator that has neither a state file nor a lease.
    pub fn of(ids: Arc<dyn AnyGenerator<I>>) -> Self {
        Held { ids: Some(ids), has_state: false, lease: None }
    }

    /// Why no ID was made.
    #[cold]
    pub fn failure(&self, py: Python<'_>, error: Error) -> Failure {
        let told = match &self.lease {
            Some(lease) => lease.ask(py, || self.explain(error)),
            None => self.explain(error),
        };
        // Where neither a lease nor a service has to do with it, it stays as it is.
        if told == error.into() { error.into() } else { told.into() }
    }

    /// Asks for IDs without the GIL.
    pub fn ask<A: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&dyn AnyGenerator<I>) -> std::result::Result<A, Error> + Send,
    ) -> Result<A> {
        let ids = &**self;
        let answer = match &self.lease {
            Some(lease) => lease.ask(py, || ask(ids)),
            None => py.detach(|| ask(ids)),
        };
        answer.map_err(|error| self.failure(py, error))
    }
}

impl<T: ?Sized + Send + Sync> Held<T> {
    /// Whether an ID may have to wait for the disk, or for a store of leases.
    pub fn may_block(&self) -> bool {
        self.has_state || self.lease.as_ref().is_some_and(|lease| lease.is_copy())
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
