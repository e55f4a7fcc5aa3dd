//! A generator whose nodes its user gave, or a lease gives: what the bindings of all languages hold.

use super::handle::Lease;
use super::holder::State;
use super::leased::{Leased, is_over};
use crate::Error;
use saiban::{Attempt, Encoding, ErrorKind, Generator, IdValue, Leniency, Options, Parts, Scheme, Stats, Text};
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

/// A generator with nodes of its own, or one that follows a lease.
///
/// ```
/// use saiban::{Generator, Layout, Options, Snowflake, SystemClock};
/// use saiban_coordination::{Issuer, Lease, LeaseOptions};
/// let build = |options: &Options| Snowflake::<_>::build(Layout::TWITTER, options, SystemClock);
/// let own = Issuer::new(None, Options::node(7), build)?;
/// assert_eq!(own.inspect(own.generate()?)?.node, Some(7));
/// let lease = Lease::acquire("memory:example", &LeaseOptions::default())?;
/// let leased = Issuer::new(Some(&lease), Options::default(), build)?;
/// assert!(leased.generate().is_ok());
/// # Ok::<(), saiban_coordination::Error>(())
/// ```
pub enum Issuer<G> {
    /// Its user gave the nodes.
    Own(G),
    /// A lease gives them.
    Leased(Leased<G>),
}

impl<G> Issuer<G> {
    /// Builds a generator with these options; under a lease anew for each of its grants.
    ///
    /// # Errors
    /// Those of the generator, and of [`Lease::grant`].
    pub fn new(
        lease: Option<&Lease>,
        options: Options,
        build: impl Fn(&Options) -> Result<G, saiban::Error> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        Ok(match lease {
            None => Issuer::Own(build(&options)?),
            Some(lease) => Issuer::Leased(Leased::new(lease, move |grant| build(&options.clone().grant(grant)))?),
        })
    }

    /// A generator of these options, for what needs no lease: reading and composing IDs.
    pub fn reader(&self) -> &G {
        match self {
            Issuer::Own(ids) => ids,
            Issuer::Leased(ids) => ids.reader(),
        }
    }

    /// The lease, if it has one.
    pub fn lease(&self) -> Option<&Lease> {
        match self {
            Issuer::Own(_) => None,
            Issuer::Leased(ids) => Some(ids.lease()),
        }
    }

    /// Whether the next ID may wait for a store: in a copy of the process, made by fork, which acquires a lease of its own first.
    pub fn may_acquire(&self) -> bool {
        self.lease().is_some_and(Lease::is_copy)
    }

    /// What an error of this generator means: of one whose lease is over, why it is, and what to do.
    pub fn explain(&self, error: saiban::Error) -> Error {
        match self.lease() {
            Some(lease) if is_over(&error) => of_lease(lease, error),
            _ => error.into(),
        }
    }
}

/// Why there is no lease.
#[cold]
fn of_lease(lease: &Lease, error: saiban::Error) -> Error {
    // A copy of the process that could not acquire one says why by itself.
    let status = match lease.status() {
        Ok(status) => status,
        Err(why) => return why,
    };
    let is_over = matches!(status.state, State::Idle | State::Draining);
    let what = match (is_over, status.why) {
        (true, None) => "the lease was released, and nothing is issued under it any more: acquire a new one".into(),
        (true, Some(why)) => format!("the lease is over, and no new one was had: {why}"),
        (false, None) => format!("{error}. A new lease is asked for: try again"),
        (false, Some(why)) => {
            format!(
                "there is no lease at the moment: {why}. It is asked for again and again, and IDs go on when there is one"
            )
        }
    };
    Error::new(if is_over { ErrorKind::LeaseLost } else { error.kind() }, what)
}

impl<G> fmt::Debug for Issuer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Issuer").field("lease", &self.lease()).finish_non_exhaustive()
    }
}

/// What a generator of either sort does.
macro_rules! either {
    ($issuer:expr, $ids:ident => $what:expr) => {
        match $issuer {
            Issuer::Own($ids) => $what,
            Issuer::Leased($ids) => $what,
        }
    };
}

impl<I: IdValue, G: Generator<I>> Generator<I> for Issuer<G> {
    fn scheme(&self) -> Scheme {
        either!(self, ids => ids.scheme())
    }

    fn bits(&self) -> u32 {
        either!(self, ids => ids.bits())
    }

    fn try_generate(&self) -> Result<Attempt<I>, saiban::Error> {
        either!(self, ids => ids.try_generate())
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt<I>, saiban::Error> {
        either!(self, ids => ids.try_generate_within(left))
    }

    fn generate(&self) -> Result<I, saiban::Error> {
        either!(self, ids => ids.generate())
    }

    fn fill(&self, ids: &mut [I]) -> Result<usize, saiban::Error> {
        either!(self, generator => generator.fill(ids))
    }

    fn stats(&self) -> Result<Stats, saiban::Error> {
        either!(self, ids => ids.stats())
    }

    fn inspect(&self, id: I) -> Result<Parts, saiban::Error> {
        either!(self, ids => ids.inspect(id))
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<I>, saiban::Error> {
        either!(self, ids => ids.range(start_ms, end_ms))
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<I, saiban::Error> {
        either!(self, ids => ids.from_text_as(text, leniency))
    }
    fn to_text_as(&self, id: I, encoding: Option<Encoding>) -> Result<Text, saiban::Error> {
        either!(self, ids => ids.to_text_as(id, encoding))
    }

    fn generate_text(&self, encoding: Option<Encoding>) -> Result<Text, saiban::Error> {
        either!(self, ids => ids.generate_text(encoding))
    }
}
