//! Generators that follow a lease: from one grant to the next, and into copies made by fork.

use super::handle::Lease;
use arc_swap::ArcSwapOption;
use saiban::{Attempt, Encoding, Error, ErrorKind, Generator, Grant, IdValue, Leniency, Parts, Scheme, Stats, Text};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

type Build<G> = Box<dyn Fn(&Grant) -> Result<G, Error> + Send + Sync>;

/// A generator under a lease. It is built anew for each grant; IDs of two grants are of different nodes, or of different times.
///
/// ```
/// use saiban::{Generator, Layout, Options, Snowflake, SystemClock};
/// use saiban_coordination::{Lease, LeaseOptions, Leased, store::MemoryStore};
/// use std::sync::Arc;
/// let store = Arc::new(MemoryStore::new(SystemClock));
/// let lease = Lease::with_store(store, &LeaseOptions { create: Some(true), ..LeaseOptions::default() })?;
/// let ids = Leased::new(&lease, |grant| {
///     Snowflake::<_>::build(Layout::TWITTER, &Options::default().grant(grant), SystemClock)
/// })?;
/// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(lease.grant()?.nodes().start as u64));
/// # Ok::<(), saiban_coordination::Error>(())
/// ```
pub struct Leased<G> {
    lease: Lease,
    build: Build<G>,
    current: ArcSwapOption<Built<G>>,
    /// Of the lease's first grant, for what needs no lease: reading IDs.
    first: G,
}

struct Built<G> {
    grant: Grant,
    ids: G,
}

impl<G> Leased<G> {
    /// A generator that is built so for each grant of the lease.
    ///
    /// # Errors
    /// As [`Lease::grant`], and those of the generator.
    pub fn new(
        lease: &Lease,
        build: impl Fn(&Grant) -> Result<G, Error> + Send + Sync + 'static,
    ) -> Result<Self, crate::Error> {
        let grant = lease.grant()?;
        let first = build(&grant)?;
        Ok(Leased { lease: lease.clone(), build: Box::new(build), current: ArcSwapOption::empty(), first })
    }

    /// The generator of the lease's first grant, for what needs no lease: reading and composing IDs.
    #[must_use]
    pub fn reader(&self) -> &G {
        &self.first
    }

    /// The lease.
    #[must_use]
    pub fn lease(&self) -> &Lease {
        &self.lease
    }

    /// Asks the generator of the grant of today; where that is over, the one of the next, if there is one.
    #[inline]
    fn ask<T>(&self, mut ask: impl FnMut(&G) -> Result<T, Error>) -> Result<T, Error> {
        let answer = match &*self.current.load() {
            Some(built) => ask(&built.ids),
            None => ask(&self.first),
        };
        match answer {
            Err(error) if is_over(&error) => self.ask_next(error, ask),
            answer => answer,
        }
    }

    #[cold]
    fn ask_next<T>(&self, error: Error, mut ask: impl FnMut(&G) -> Result<T, Error>) -> Result<T, Error> {
        // Why there is no lease the lease itself tells; a generator's errors have no room for what a server says.
        let Ok(grant) = self.lease.grant() else { return Err(error) };
        let is_known = self.current.load().as_ref().is_some_and(|built| built.grant == grant);
        if !is_known {
            let ids = (self.build)(&grant)?;
            let before = self.current.swap(Some(Arc::new(Built { grant, ids })));
            if before.as_ref().is_some_and(|built| built.grant.is_copy()) {
                // The parent's: not ours to take apart.
                std::mem::forget(before);
            }
        }
        self.current.load().as_ref().map_or(Err(error), |built| ask(&built.ids))
    }
}

/// Whether a generator of this grant will make nothing any more, but one of another may.
pub(super) fn is_over(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::LeaseExpired | ErrorKind::LeaseLost | ErrorKind::Forked)
}

impl<I: IdValue, G: Generator<I>> Generator<I> for Leased<G> {
    fn scheme(&self) -> Scheme {
        self.first.scheme()
    }

    fn bits(&self) -> u32 {
        self.first.bits()
    }

    fn try_generate(&self) -> Result<Attempt<I>, Error> {
        self.ask(G::try_generate)
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt<I>, Error> {
        self.ask(|ids| ids.try_generate_within(left))
    }

    fn generate(&self) -> Result<I, Error> {
        self.ask(G::generate)
    }

    fn fill(&self, ids: &mut [I]) -> Result<usize, Error> {
        self.ask(|generator| generator.fill(ids))
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.current.load().as_ref().map_or_else(|| self.first.stats(), |built| built.ids.stats())
    }

    fn inspect(&self, id: I) -> Result<Parts, Error> {
        self.first.inspect(id)
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<I>, Error> {
        self.first.range(start_ms, end_ms)
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<I, Error> {
        self.first.from_text_as(text, leniency)
    }
    fn to_text_as(&self, id: I, encoding: Option<Encoding>) -> Result<Text, Error> {
        self.first.to_text_as(id, encoding)
    }

    fn generate_text(&self, encoding: Option<Encoding>) -> Result<Text, Error> {
        self.ask(|ids| ids.generate_text(encoding))
    }
}
