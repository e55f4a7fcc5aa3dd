//! Generators of a scheme known only at run time. Only this file maps a scheme's name to its
//! generator.

use super::{
    FlakeGenerator, Generator, ObjectIdGenerator, Options, Prefixed, RandflakeGenerator, SnowflakeGenerator,
    TickIdGenerator, TickOrder, TsidGenerator, UlidFlakeFormat, UlidFlakeGenerator, UlidGenerator, UuidGenerator,
    UuidVersion, WideFlakeGenerator, XidGenerator,
};
use crate::cipher::Secret;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::ManualClock;
#[cfg(feature = "std")]
use crate::entropy::DefaultEntropy;
use crate::entropy::Entropy;
use crate::error::Error;
use crate::layout::Layout;
use crate::prefix::Prefix;
use crate::scheme::{GeneratorOption, Scheme};
#[cfg(feature = "std")]
use alloc::boxed::Box;

/// A description of IDs: the scheme and its options.
///
/// The description is checked when a generator is built. An option that the scheme does not take is
/// then an error.
///
/// ```
/// use saiban::{GeneratorSpec, Layout, Scheme};
/// let spec = GeneratorSpec::new(Scheme::Snowflake).layout(Layout::DISCORD);
/// assert_eq!(spec.layout_of_ids()?, Some(Layout::DISCORD));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GeneratorSpec {
    /// The scheme.
    pub scheme: Scheme,
    /// The layout. The default is Twitter's for Snowflake and that of 1024 nodes for TSID; Flake
    /// requires a layout.
    pub layout: Option<Layout>,
    /// The secret, which Randflake requires.
    pub secret: Option<Secret>,
    /// The order of tick IDs; ascending by default.
    pub order: Option<TickOrder>,
    /// The scalability id of a Ulid-Flake, 0 to 31. Without it, IDs are stand-alone.
    pub scalability: Option<i64>,
    /// The number of random bytes by which a Ulid-Flake grows within a millisecond; 1 by default.
    pub entropy_size: Option<i64>,
    /// The epoch of a Ulid-Flake in Unix milliseconds; 2024-01-01 by default.
    pub epoch_ms: Option<i64>,
    /// Whether a forked process may continue to use its parent's Ulid-Flake generator.
    pub allow_collisions: bool,
    /// The prefix of the text.
    pub prefix: Option<Prefix>,
}

/// A visitor of a generator whose type is known only at run time.
///
/// Each method receives `build`, a function that builds the generator for given options. The
/// visitor may call it more than once, because each grant of a lease needs new options.
pub trait Visit {
    /// The result of a visit.
    type Output;

    /// Visits a generator whose IDs have up to 64 bits.
    fn narrow<G: Generator<Id = i64> + Send + Sync + 'static>(
        self,
        build: impl Fn(&Options) -> Result<G, Error> + Send + Sync + 'static,
    ) -> Self::Output;

    /// Visits a generator whose IDs have more than 64 bits.
    fn wide<G: Generator<Id = u128> + Send + Sync + 'static>(
        self,
        build: impl Fn(&Options) -> Result<G, Error> + Send + Sync + 'static,
    ) -> Self::Output;
}

impl GeneratorSpec {
    /// Returns the description of this scheme's IDs with default options.
    #[must_use]
    pub const fn new(scheme: Scheme) -> Self {
        GeneratorSpec {
            scheme,
            layout: None,
            secret: None,
            order: None,
            scalability: None,
            entropy_size: None,
            epoch_ms: None,
            allow_collisions: false,
            prefix: None,
        }
    }

    setters! {
        /// Sets the layout.
        layout: Layout;
        /// Sets the secret.
        secret: &Secret => secret.clone();
        /// Sets the order of tick IDs.
        order: TickOrder;
        /// Sets the scalability id.
        scalability: i64;
        /// Sets the prefix of the text.
        prefix: Prefix;
    }

    /// Returns the layout of the IDs, for schemes that are described by a layout or leased; `None`
    /// for other schemes. With a scalability id, the layout of a Ulid-Flake is that of scalable
    /// IDs.
    ///
    /// # Errors
    /// As [`GeneratorSpec::visit`].
    pub fn layout_of_ids(&self) -> Result<Option<Layout>, Error> {
        match self.scheme {
            Scheme::Snowflake => Ok(Some(self.layout.unwrap_or(Layout::TWITTER))),
            Scheme::Randflake => Ok(Some(Layout::RANDFLAKE)),
            Scheme::UlidFlake => self.ulid_flake().layout().map(Some),
            Scheme::Tsid => Ok(Some(self.layout.unwrap_or(Layout::TSID_1024))),
            Scheme::Flake => self.flake_layout().map(Some),
            Scheme::Ulid
            | Scheme::Uuid
            | Scheme::UuidV1
            | Scheme::UuidV4
            | Scheme::UuidV7
            | Scheme::ObjectId
            | Scheme::TickId
            | Scheme::Xid => Ok(None),
        }
    }

    /// Returns the description of these IDs under a lease: a Ulid-Flake becomes scalable.
    #[must_use]
    pub fn under_lease(&self) -> Self {
        let mut spec = self.clone();
        if spec.scheme.takes(GeneratorOption::Scalability) {
            spec.scalability = Some(0);
        }
        spec
    }

    /// Returns options for a generator that only reads and composes IDs. They have node 0 if the
    /// scheme has nodes.
    ///
    /// # Errors
    /// As [`GeneratorSpec::visit`].
    pub fn reading_options(&self) -> Result<Options, Error> {
        let has_node = self.layout_of_ids()?.is_some_and(|layout| layout.has_node());
        let takes_node = has_node && self.scheme.takes(GeneratorOption::Node);
        Ok(if takes_node { Options::node(0) } else { Options::default() })
    }

    /// Calls the visitor for the generator of this scheme, with a function that builds it on this
    /// clock.
    ///
    /// # Errors
    /// `InvalidArgument` for an option that the scheme does not take, and for a missing option that
    /// it requires; `InvalidLayout`; `InvalidEntropySize`. The build function returns all other
    /// errors.
    pub fn visit<C, E, V: Visit>(&self, clock: C, entropy: E, visitor: V) -> Result<V::Output, Error>
    where
        C: Clock + Clone + Send + Sync + 'static,
        E: Entropy + Clone + Send + Sync + 'static,
    {
        self.check()?;
        match self.prefix {
            Some(prefix) => self.visit_plain(clock, entropy, Prefixing { prefix, visitor }),
            None => self.visit_plain(clock, entropy, visitor),
        }
    }

    fn visit_plain<C, E, V: Visit>(&self, clock: C, entropy: E, visitor: V) -> Result<V::Output, Error>
    where
        C: Clock + Clone + Send + Sync + 'static,
        E: Entropy + Clone + Send + Sync + 'static,
    {
        Ok(match self.scheme {
            Scheme::Snowflake => {
                let layout = self.layout.unwrap_or(Layout::TWITTER);
                visitor.narrow(move |options| SnowflakeGenerator::build(layout, options, clock.clone()))
            }
            Scheme::Randflake => {
                let secret = self.needed_secret()?;
                visitor.narrow(move |options| RandflakeGenerator::build(&secret, options, clock.clone()))
            }
            Scheme::UlidFlake => {
                let format = self.ulid_flake();
                visitor
                    .narrow(move |options| UlidFlakeGenerator::build(format, options, clock.clone(), entropy.clone()))
            }
            Scheme::Tsid => {
                let layout = self.layout.unwrap_or(Layout::TSID_1024);
                visitor.narrow(move |options| TsidGenerator::build(layout, options, clock.clone()))
            }
            Scheme::Flake => {
                let layout = self.flake_layout()?;
                if layout.is_wide() {
                    visitor
                        .wide(move |options| WideFlakeGenerator::build(layout, options, clock.clone(), entropy.clone()))
                } else {
                    visitor
                        .narrow(move |options| FlakeGenerator::build(layout, options, clock.clone(), entropy.clone()))
                }
            }
            Scheme::Ulid => visitor.wide(move |options| UlidGenerator::build(options, clock.clone(), entropy.clone())),
            Scheme::UuidV1 => visitor.wide(uuid(UuidVersion::V1, clock, entropy)),
            Scheme::UuidV4 => visitor.wide(uuid(UuidVersion::V4, clock, entropy)),
            Scheme::Uuid | Scheme::UuidV7 => visitor.wide(uuid(UuidVersion::V7, clock, entropy)),
            Scheme::ObjectId => {
                visitor.wide(move |options| ObjectIdGenerator::build(options, clock.clone(), entropy.clone()))
            }
            Scheme::Xid => visitor.wide(move |options| XidGenerator::build(options, clock.clone(), entropy.clone())),
            Scheme::TickId => {
                let order = self.order.unwrap_or(TickOrder::Ascending);
                visitor.wide(move |options| TickIdGenerator::build(order, options, clock.clone(), entropy.clone()))
            }
        })
    }

    /// Builds the generator of this scheme.
    ///
    /// ```
    /// use saiban::{AnyGenerator, GeneratorSpec, Options, PooledEntropy, Scheme, SystemClock};
    /// let scheme = Scheme::from_name("ulid")?;
    /// match GeneratorSpec::new(scheme).build(&Options::default(), SystemClock, PooledEntropy)? {
    ///     AnyGenerator::Narrow(ids) => println!("{}", ids.generate()?),
    ///     AnyGenerator::Wide(ids) => println!("{}", ids.generate_text(None)?),
    /// }
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`GeneratorSpec::visit`], and the errors of the generator.
    #[cfg(feature = "std")]
    pub fn build<C, E>(&self, options: &Options, clock: C, entropy: E) -> Result<AnyGenerator, Error>
    where
        C: Clock + Clone + Send + Sync + 'static,
        E: Entropy + Clone + Send + Sync + 'static,
    {
        self.visit(clock, entropy, Boxing(options))?
    }

    /// Builds a generator that only reads and composes IDs. It runs on a clock that stands still
    /// and shares no cursor.
    ///
    /// ```
    /// use saiban::{AnyGenerator, GeneratorSpec, Scheme};
    /// let reader = GeneratorSpec::new(Scheme::Snowflake).reader()?;
    /// assert!(matches!(reader, AnyGenerator::Narrow(ids) if ids.from_text("175928847299117063")? == 175_928_847_299_117_063));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`GeneratorSpec::build`].
    #[cfg(feature = "std")]
    pub fn reader(&self) -> Result<AnyGenerator, Error> {
        let clock = alloc::sync::Arc::new(ManualClock::new(0)?);
        self.build(&self.reading_options()?, clock, DefaultEntropy::default())
    }

    /// Checks that the scheme takes every option given.
    fn check(&self) -> Result<(), Error> {
        let mut given = [
            (GeneratorOption::Layout, self.layout.is_some()),
            (GeneratorOption::Secret, self.secret.is_some()),
            (GeneratorOption::Order, self.order.is_some()),
            (GeneratorOption::Scalability, self.scalability.is_some()),
            (GeneratorOption::EntropySize, self.entropy_size.is_some()),
            (GeneratorOption::EpochMs, self.epoch_ms.is_some()),
            (GeneratorOption::AllowCollisions, self.allow_collisions),
        ]
        .into_iter();
        given.try_for_each(|(option, is_given)| self.scheme.generated().check_option(option, is_given))
    }

    fn needed_secret(&self) -> Result<Secret, Error> {
        let scheme = self.scheme.name();
        self.secret.clone().ok_or(Error::OptionMissing { scheme, option: GeneratorOption::Secret.name() })
    }

    fn flake_layout(&self) -> Result<Layout, Error> {
        let scheme = self.scheme.name();
        self.layout.ok_or(Error::OptionMissing { scheme, option: GeneratorOption::Layout.name() })
    }

    fn ulid_flake(&self) -> UlidFlakeFormat {
        let default = UlidFlakeFormat::default();
        UlidFlakeFormat {
            scalability: self.scalability,
            entropy_size: self.entropy_size.unwrap_or(default.entropy_size),
            epoch_ms: self.epoch_ms.unwrap_or(default.epoch_ms),
            allow_collisions: self.allow_collisions,
        }
    }
}

fn uuid<C: Clock + Clone, E: Entropy + Clone>(
    version: UuidVersion,
    clock: C,
    entropy: E,
) -> impl Fn(&Options) -> Result<UuidGenerator<C, E>, Error> {
    move |options| UuidGenerator::build(version, options, clock.clone(), entropy.clone())
}

/// A visitor that adds a prefix to the generator and passes it to another visitor.
struct Prefixing<V> {
    prefix: Prefix,
    visitor: V,
}

impl<V: Visit> Visit for Prefixing<V> {
    type Output = V::Output;

    fn narrow<G: Generator<Id = i64> + Send + Sync + 'static>(
        self,
        build: impl Fn(&Options) -> Result<G, Error> + Send + Sync + 'static,
    ) -> V::Output {
        self.visitor.narrow(move |options| build(options).map(|ids| Prefixed::new(ids, self.prefix)))
    }

    fn wide<G: Generator<Id = u128> + Send + Sync + 'static>(
        self,
        build: impl Fn(&Options) -> Result<G, Error> + Send + Sync + 'static,
    ) -> V::Output {
        self.visitor.wide(move |options| build(options).map(|ids| Prefixed::new(ids, self.prefix)))
    }
}

/// A generator whose scheme is known only at run time.
#[cfg(feature = "std")]
pub enum AnyGenerator {
    /// A generator of IDs of up to 64 bits.
    Narrow(Box<dyn Generator<Id = i64> + Send + Sync>),
    /// A generator of wider IDs.
    Wide(Box<dyn Generator<Id = u128> + Send + Sync>),
}

/// A visitor that builds the generator as a trait object.
#[cfg(feature = "std")]
struct Boxing<'a>(&'a Options);

#[cfg(feature = "std")]
impl Visit for Boxing<'_> {
    type Output = Result<AnyGenerator, Error>;

    fn narrow<G: Generator<Id = i64> + Send + Sync + 'static>(
        self,
        build: impl Fn(&Options) -> Result<G, Error> + Send + Sync + 'static,
    ) -> Self::Output {
        build(self.0).map(|ids| AnyGenerator::Narrow(Box::new(ids)))
    }

    fn wide<G: Generator<Id = u128> + Send + Sync + 'static>(
        self,
        build: impl Fn(&Options) -> Result<G, Error> + Send + Sync + 'static,
    ) -> Self::Output {
        build(self.0).map(|ids| AnyGenerator::Wide(Box::new(ids)))
    }
}
