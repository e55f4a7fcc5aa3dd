//! Generators under a lease. They follow it from grant to grant, and into forked children.

use super::handle::Lease;
use arc_swap::ArcSwapOption;
use saiban::{Attempt, Encoding, Error, ErrorKind, Generator, Grant, Stats, Text};
use std::sync::Arc;
use std::time::Duration;

type Build<G> = Box<dyn Fn(&Grant) -> Result<G, Error> + Send + Sync>;

/// A generator under a lease.
///
/// It is rebuilt for each grant. The IDs of two grants differ in their nodes or in their times.
///
/// ```
/// use saiban::{Generator, Layout, Options, SnowflakeGenerator, SystemClock};
/// use saiban_coordination::{Lease, LeaseOptions, Leased, store::MemoryStore};
/// use std::sync::Arc;
/// let store = Arc::new(MemoryStore::new(SystemClock));
/// let lease = Lease::with_store(store, &LeaseOptions { create: Some(true), ..LeaseOptions::default() })?;
/// let ids = Leased::new(&lease, |grant| {
///     SnowflakeGenerator::build(Layout::TWITTER, &Options::default().grant(grant), SystemClock)
/// })?;
/// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(lease.grant()?.nodes().start as u64));
/// # Ok::<(), saiban_coordination::Error>(())
/// ```
pub struct Leased<G> {
    lease: Lease,
    build: Build<G>,
    current: ArcSwapOption<Built<G>>,
    /// The generator of the lease's first grant, for calls that need no lease, such as reading IDs.
    first: G,
}

struct Built<G> {
    grant: Grant,
    ids: G,
}

impl<G> Leased<G> {
    /// Creates a generator, which `build` builds for each grant of the lease.
    ///
    /// # Errors
    /// Those of [`Lease::grant`] and of `build`.
    pub fn new(
        lease: &Lease,
        build: impl Fn(&Grant) -> Result<G, Error> + Send + Sync + 'static,
    ) -> Result<Self, crate::Error> {
        let grant = lease.grant()?;
        let first = build(&grant)?;
        Ok(Leased { lease: lease.clone(), build: Box::new(build), current: ArcSwapOption::empty(), first })
    }

    /// Calls `ask` with the generator of the current grant. If that grant is over, calls `ask` with
    /// the generator of the next grant, if there is one.
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
        // The lease itself reports why there is no grant: the core's errors cannot hold a server's
        // message.
        let Ok(grant) = self.lease.grant() else { return Err(error) };
        let is_known = self.current.load().as_ref().is_some_and(|built| built.grant == grant);
        if !is_known {
            let ids = (self.build)(&grant)?;
            let before = self.current.swap(Some(Arc::new(Built { grant, ids })));
            if before.as_ref().is_some_and(|built| built.grant.is_copy()) {
                // The generator is the parent's: never drop it in a forked child.
                std::mem::forget(before);
            }
        }
        self.current.load().as_ref().map_or(Err(error), |built| ask(&built.ids))
    }
}

/// Returns whether the generator of this grant issues nothing more, while that of another grant
/// may.
pub(super) fn is_over(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::LeaseExpired | ErrorKind::LeaseLost | ErrorKind::Forked)
}

impl<G: Generator> Generator for Leased<G> {
    type Id = G::Id;

    saiban::forward_generator! {
        |this| this.first; scheme bits encoding prefix layout compose inspect range from_text_as to_text_as write
        write_into
    }

    fn try_generate(&self) -> Result<Attempt<G::Id>, Error> {
        self.ask(G::try_generate)
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt<G::Id>, Error> {
        self.ask(|ids| ids.try_generate_within(left))
    }

    fn generate(&self) -> Result<G::Id, Error> {
        self.ask(G::generate)
    }

    fn fill(&self, ids: &mut [G::Id]) -> Result<usize, Error> {
        self.ask(|generator| generator.fill(ids))
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.current.load().as_ref().map_or_else(|| self.first.stats(), |built| built.ids.stats())
    }

    fn generate_text(&self, encoding: Option<Encoding>) -> Result<Text, Error> {
        self.ask(|ids| ids.generate_text(encoding))
    }
}
