//! Generators of any scheme, with nodes or IDs from any source. The bindings of all languages use
//! them.

use super::handle::{Lease, LeaseOptions};
use super::leased::{Leased, is_over};
use crate::Error;
use saiban::generator::Visit;
use saiban::scheme::GeneratorOption;
use saiban::{Clock, ErrorKind, Generator, GeneratorSpec, IdValue, LayoutProblem, Options, PooledEntropy, SystemClock};
use std::fmt;
use std::ops::Deref;

/// A generator of IDs of type `I`, with nodes of its own, under a lease, or of a service.
///
/// It dereferences to [`Generator`].
pub struct Issuer<I: IdValue> {
    ids: Box<dyn Generator<Id = I> + Send + Sync>,
    origin: Origin,
}

/// Where the nodes, or the IDs, come from.
enum Origin {
    /// The user gave the nodes.
    Own,
    /// A lease assigns them.
    Lease(Lease),
    /// A service makes the IDs. The function explains an error of the service's generator.
    #[cfg_attr(not(feature = "coordinator"), allow(dead_code, reason = "there is no service"))]
    Service(Box<dyn Fn(saiban::Error) -> Error + Send + Sync>),
}

/// A generator of a scheme that is known only at run time.
///
/// ```
/// use saiban::{GeneratorSpec, Options, Scheme, SystemClock};
/// use saiban_coordination::{AnyIssuer, NodesFrom, StoreNodes};
/// let spec = GeneratorSpec::new(Scheme::Snowflake);
/// let own = AnyIssuer::open(&spec, Options::node(7), NodesFrom::Options, SystemClock)?;
/// let store = StoreNodes::new("memory:example");
/// let leased = AnyIssuer::open(&spec, Options::default(), NodesFrom::Store(&store), SystemClock)?;
/// for ids in [own, leased] {
///     match ids {
///         AnyIssuer::Narrow(ids) => println!("{}", ids.generate()?),
///         AnyIssuer::Wide(ids) => println!("{}", ids.generate()?),
///     }
/// }
/// # Ok::<(), saiban_coordination::Error>(())
/// ```
#[derive(Debug)]
pub enum AnyIssuer {
    /// IDs of up to 64 bits.
    Narrow(Issuer<i64>),
    /// Wider IDs.
    Wide(Issuer<u128>),
}

/// Where a generator's nodes come from.
#[derive(Clone, Copy, Debug)]
pub enum NodesFrom<'a> {
    /// The options contain the nodes, or the scheme has none.
    Options,
    /// The caller's lease assigns them.
    Lease(&'a Lease),
    /// A lease of the generator's own assigns them, from this store. It is released when the
    /// generator is dropped.
    Store(&'a StoreNodes),
}

impl<'a> NodesFrom<'a> {
    /// Returns the source of the nodes, from a generator's options.
    ///
    /// # Errors
    /// `InvalidArgument` if both a lease and a store are given.
    pub fn given(lease: Option<&'a Lease>, store: Option<&'a StoreNodes>) -> Result<Self, Error> {
        match (lease, store) {
            (None, None) => Ok(NodesFrom::Options),
            (Some(lease), None) => Ok(NodesFrom::Lease(lease)),
            (None, Some(store)) => Ok(NodesFrom::Store(store)),
            (Some(_), Some(_)) => {
                Err(Error::new(ErrorKind::InvalidArgument, "both a lease and a store are given: give one of them"))
            }
        }
    }
}

/// A store, and the terms of the lease that a generator acquires from it.
///
/// Scheme, layout and secret are those of the generator.
#[derive(Clone, Debug)]
pub struct StoreNodes {
    /// The store's URL.
    pub url: String,
    /// The namespace. Generators whose IDs go into one column use one namespace.
    pub namespace: String,
    /// The number of nodes; by default 1.
    pub nodes: i64,
    /// The ttl of the lease, seconds; by default 600.
    pub ttl_s: i64,
}

impl StoreNodes {
    /// Describes a lease of one node, in the store's default namespace, for 600 s at a time.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        let LeaseOptions { namespace, nodes, ttl_s, .. } = LeaseOptions::default();
        StoreNodes { url: url.into(), namespace, nodes, ttl_s }
    }

    /// Returns the store and the namespace from a generator's options; `None` without a store.
    ///
    /// # Errors
    /// `InvalidArgument` for a namespace without a store.
    pub fn given(url: Option<String>, namespace: Option<String>) -> Result<Option<Self>, Error> {
        match (url, namespace) {
            (None, Some(_)) => Err(Error::new(
                ErrorKind::InvalidArgument,
                "a namespace is given without a store: give the store's URL too, or leave the namespace out",
            )),
            (None, None) => Ok(None),
            (Some(url), None) => Ok(Some(Self::new(url))),
            (Some(url), Some(namespace)) => Ok(Some(StoreNodes { namespace, ..Self::new(url) })),
        }
    }

    /// Acquires a lease for a generator of these IDs. Waits for the store for 10 s at most.
    ///
    /// # Errors
    /// Those of [`Lease::acquire`]; `InvalidArgument` for a scheme without nodes.
    pub fn acquire(&self, spec: &GeneratorSpec) -> Result<Lease, Error> {
        check_takes_lease(spec)?;
        let StoreNodes { ref namespace, nodes, ttl_s, .. } = *self;
        let options = LeaseOptions { namespace: namespace.clone(), nodes, ttl_s, ..LeaseOptions::default() };
        Lease::acquire(&self.url, &options.of_spec(spec)?)
    }
}

impl AnyIssuer {
    /// Opens a generator with these options. Under a lease, it is rebuilt for each grant.
    ///
    /// # Errors
    /// Those of the generator, of [`Lease::acquire`] and of [`Lease::grant`]; `InvalidArgument` for
    /// a lease with a scheme without nodes.
    pub fn open<C>(spec: &GeneratorSpec, options: Options, nodes: NodesFrom<'_>, clock: C) -> Result<Self, Error>
    where
        C: Clock + Clone + Send + Sync + 'static,
    {
        let lease = match nodes {
            NodesFrom::Options => None,
            NodesFrom::Lease(lease) => {
                check_takes_lease(spec)?;
                Some(lease.clone())
            }
            NodesFrom::Store(store) => Some(store.acquire(spec)?),
        };
        spec.visit(clock, PooledEntropy, Opening { options, lease })?
    }
}

/// Checks that the scheme has nodes to lease.
fn check_takes_lease(spec: &GeneratorSpec) -> Result<(), Error> {
    if spec.scheme.takes(GeneratorOption::Lease) {
        return Ok(());
    }
    let what = format!("{} has no nodes to lease: leave out the lease and the store", spec.scheme);
    Err(Error::new(ErrorKind::InvalidArgument, what))
}

struct Opening {
    options: Options,
    lease: Option<Lease>,
}

impl Opening {
    fn open<G: Generator<Id: IdValue> + Send + Sync + 'static>(
        self,
        build: impl Fn(&Options) -> Result<G, saiban::Error> + Send + Sync + 'static,
    ) -> Result<Issuer<G::Id>, Error> {
        let Opening { options, lease } = self;
        let Some(lease) = lease else {
            return Ok(Issuer { ids: Box::new(build(&options)?), origin: Origin::Own });
        };
        let ids = Leased::new(&lease, move |grant| build(&options.clone().grant(grant)))?;
        Ok(Issuer { ids: Box::new(ids), origin: Origin::Lease(lease) })
    }
}

impl Visit for Opening {
    type Output = Result<AnyIssuer, Error>;

    fn narrow<G: Generator<Id = i64> + Send + Sync + 'static>(
        self,
        build: impl Fn(&Options) -> Result<G, saiban::Error> + Send + Sync + 'static,
    ) -> Self::Output {
        self.open(build).map(AnyIssuer::Narrow)
    }

    fn wide<G: Generator<Id = u128> + Send + Sync + 'static>(
        self,
        build: impl Fn(&Options) -> Result<G, saiban::Error> + Send + Sync + 'static,
    ) -> Self::Output {
        self.open(build).map(AnyIssuer::Wide)
    }
}

/// Returns the error for IDs of the other width. Only IDs of a layout exist in both widths.
fn other_width(bits: u32) -> Error {
    saiban::Error::InvalidLayout { reason: LayoutProblem::OtherWidth { bits } }.into()
}

impl TryFrom<AnyIssuer> for Issuer<i64> {
    type Error = Error;

    fn try_from(ids: AnyIssuer) -> Result<Self, Error> {
        match ids {
            AnyIssuer::Narrow(ids) => Ok(ids),
            AnyIssuer::Wide(ids) => Err(other_width(ids.bits())),
        }
    }
}

impl TryFrom<AnyIssuer> for Issuer<u128> {
    type Error = Error;

    fn try_from(ids: AnyIssuer) -> Result<Self, Error> {
        match ids {
            AnyIssuer::Narrow(ids) => Err(other_width(ids.bits())),
            AnyIssuer::Wide(ids) => Ok(ids),
        }
    }
}

impl<I: IdValue> Issuer<I>
where
    Self: TryFrom<AnyIssuer, Error = Error>,
{
    /// Opens a generator on the system's clock, with a lease of its own from this store.
    ///
    /// # Errors
    /// Those of [`AnyIssuer::open`]; `InvalidLayout` for IDs of the other width.
    ///
    /// ```
    /// use saiban::{GeneratorSpec, Scheme};
    /// use saiban_coordination::{Issuer, StoreNodes};
    /// let ids = Issuer::<i64>::with_store(&GeneratorSpec::new(Scheme::Snowflake), &StoreNodes::new("memory:shop"))?;
    /// let nodes = ids.lease().expect("its own").grant()?.nodes();
    /// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(nodes.start as u64));
    /// # Ok::<(), saiban_coordination::Error>(())
    /// ```
    pub fn with_store(spec: &GeneratorSpec, store: &StoreNodes) -> Result<Self, Error> {
        AnyIssuer::open(spec, Options::default(), NodesFrom::Store(store), SystemClock)?.try_into()
    }
}

impl<I: IdValue> Issuer<I> {
    /// Wraps a generator whose IDs a service makes. `explain` returns the meaning of its errors.
    #[cfg(feature = "coordinator")]
    pub(crate) fn of_service(
        ids: Box<dyn Generator<Id = I> + Send + Sync>,
        explain: impl Fn(saiban::Error) -> Error + Send + Sync + 'static,
    ) -> Self {
        Issuer { ids, origin: Origin::Service(Box::new(explain)) }
    }

    /// Returns the lease; `None` if the nodes do not come from one.
    #[must_use]
    pub fn lease(&self) -> Option<&Lease> {
        match &self.origin {
            Origin::Lease(lease) => Some(lease),
            Origin::Own | Origin::Service(_) => None,
        }
    }

    /// Returns whether the next ID may wait for a store.
    ///
    /// It may in a forked child, which first acquires a lease of its own.
    #[must_use]
    pub fn may_acquire(&self) -> bool {
        self.lease().is_some_and(Lease::is_copy)
    }

    /// Returns the meaning of an error of this generator, if a lease or a service is behind the
    /// generator.
    ///
    /// The result names the reason why there is no lease, or the service's message, and what to do.
    /// Never waits. Returns `None` for a generator with nodes of its own.
    #[must_use]
    pub fn explain(&self, error: saiban::Error) -> Option<Error> {
        let lease = match &self.origin {
            Origin::Own => return None,
            Origin::Service(explain) => return Some(explain(error)),
            Origin::Lease(lease) => lease,
        };
        if !is_over(&error) {
            return Some(error.into());
        }
        let why = lease.explain(error);
        // An ended lease and a lost lease have different kinds of errors.
        let has_ended = error.kind() == ErrorKind::LeaseExpired && !lease.is_released();
        Some(if has_ended { Error::new(error.kind(), why.to_string()) } else { why })
    }

    /// Returns the generator itself, which keeps its lease.
    #[must_use]
    pub fn into_generator(self) -> Box<dyn Generator<Id = I> + Send + Sync> {
        self.ids
    }
}

impl<I: IdValue> Deref for Issuer<I> {
    type Target = dyn Generator<Id = I> + Send + Sync;

    fn deref(&self) -> &Self::Target {
        &*self.ids
    }
}

impl<I: IdValue> fmt::Debug for Issuer<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Issuer").field("lease", &self.lease()).finish_non_exhaustive()
    }
}
