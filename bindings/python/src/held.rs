//! A generator that may have a state file, a lease or a service. Calls that can block on the disk
//! or on a server release the GIL.

use crate::error::{Failure, Result};
use crate::lease::Lease;
use pyo3::prelude::*;
use saiban::{Error, Generator, IdValue};
use saiban_coordination::Issuer;
use std::ops::Deref;

/// A generator. Dropping it closes its state file.
pub struct Held<I: IdValue> {
    /// Present until the value is dropped.
    ids: Option<Issuer<I>>,
    has_state: bool,
    lease: Option<Py<Lease>>,
}

impl<I: IdValue> Held<I> {
    pub fn new(ids: Issuer<I>, has_state: bool, lease: Option<Py<Lease>>) -> Self {
        Held { ids: Some(ids), has_state, lease }
    }

    /// Returns the lease, as a Python object.
    pub fn lease(&self) -> Option<&Py<Lease>> {
        self.lease.as_ref()
    }

    /// Returns whether an ID may have to wait for the disk, or for a store of leases.
    #[inline]
    pub fn may_block(&self) -> bool {
        self.has_state || self.may_acquire()
    }

    /// Returns the reason why no ID was made.
    #[cold]
    pub fn failure(&self, error: Error) -> Failure {
        match self.explain(error) {
            Some(last) if last != error.into() => last.into(),
            // Without another reason, the core's error keeps its position, and the numbers as they
            // were written.
            Some(_) | None => error.into(),
        }
    }

    /// Calls the generator without the GIL.
    pub fn ask<A: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&(dyn Generator<Id = I> + Send + Sync)) -> std::result::Result<A, Error> + Send,
    ) -> Result<A> {
        let ids = &***self;
        let answer = match &self.lease {
            Some(lease) => lease.get().ask(py, || ask(ids)),
            None => py.detach(|| ask(ids)),
        };
        answer.map_err(|error| self.failure(error))
    }
}

impl<I: IdValue> Deref for Held<I> {
    type Target = Issuer<I>;

    #[inline]
    fn deref(&self) -> &Issuer<I> {
        self.ids.as_ref().expect("it is there until it is dropped")
    }
}

impl<I: IdValue> Drop for Held<I> {
    fn drop(&mut self) {
        if self.has_state {
            let ids = self.ids.take();
            // At the interpreter's end there is no GIL to release, and attaching fails.
            let _ = Python::try_attach(move |py| py.detach(move || drop(ids)));
        }
    }
}
