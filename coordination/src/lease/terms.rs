//! What a name space is made for, and what it allows.

use crate::Error;
use saiban::{ErrorKind, Layout, Scheme, Secret, UlidFlakeFormat};

/// The longest name of a name space, characters.
pub const LONGEST_NAME: usize = 64;

/// The most nodes that one lease may have.
pub const MOST_NODES_AT_ONCE: i64 = 65_536;

/// The longest lease of a name space whose maker says nothing else, seconds.
pub const DEFAULT_MAX_TTL_S: i64 = 3_600;

/// The longest that any name space may allow: 30 days.
pub(crate) const MOST_TTL_S: i64 = 30 * 86_400;

/// The limits of a name space, which never change once it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    name: String,
    fingerprint: String,
    nodes: i64,
    max_ttl_us: i64,
}

impl Terms {
    /// The terms of a name space for the IDs of this scheme and layout. `key_id` tells secrets apart, where IDs are encrypted: two secrets
    /// are two schemes.
    ///
    /// # Errors
    /// `InvalidArgument` for a name that is empty, longer than 64 characters, or has others than letters, digits, `_`, `-` and `.`; for a
    /// layout without a node field; for a longest lease of less than a second or more than 30 days.
    pub fn new(
        name: &str,
        scheme: Scheme,
        layout: &Layout,
        key_id: Option<u32>,
        max_ttl_s: i64,
    ) -> Result<Self, Error> {
        check_name("a name space", name)?;
        if !layout.has_node() {
            return Err(invalid("the layout has no node field, so there is nothing to lease: give it one".into()));
        }
        if !(1..=MOST_TTL_S).contains(&max_ttl_s) {
            return Err(invalid(format!("max_ttl_s is {max_ttl_s}: give 1 to {MOST_TTL_S} seconds")));
        }
        let key = key_id.map(|id| format!(" key={id:08x}")).unwrap_or_default();
        Ok(Terms {
            name: name.into(),
            fingerprint: format!("{} {}{key}", scheme.name(), layout.bare()),
            // Of 2^63 nodes the last is not leased: one past it there is no number.
            nodes: i64::try_from(layout.max_node()).unwrap_or(i64::MAX).saturating_add(1),
            max_ttl_us: max_ttl_s * 1_000_000,
        })
    }

    /// The terms of a name space for the IDs of this fingerprint, which must be as [`Terms::fingerprint`] says it.
    ///
    /// ```
    /// use saiban_coordination::lease::Terms;
    /// let fingerprint = "snowflake timestamp:41,epoch=2010-11-04T01:42:54.657Z node:10 sequence:12";
    /// assert_eq!(Terms::of_fingerprint("orders", fingerprint, 3_600)?.nodes(), 1_024);
    /// # Ok::<(), saiban_coordination::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for what no saiban says of any scheme; as [`Terms::new`].
    pub fn of_fingerprint(name: &str, fingerprint: &str, max_ttl_s: i64) -> Result<Self, Error> {
        let odd = |why: &str| {
            let shown = quoted(fingerprint);
            invalid(format!(
                "{shown} is no fingerprint of leased IDs ({why}): give the scheme, its layout without names, and of a Randflake the key's number (key=), as saiban lease ls shows them"
            ))
        };
        let (scheme, layout) = fingerprint.split_once(' ').ok_or_else(|| odd("it has no layout"))?;
        let scheme = Scheme::from_name(scheme).map_err(|error| odd(&error.to_string()))?;
        let (layout, key) = match layout.rsplit_once(" key=") {
            Some((layout, digits)) => (
                layout,
                Some(u32::from_str_radix(digits, 16).map_err(|_| odd("its key is no number of 8 hexadecimal digits"))?),
            ),
            None => (layout, None),
        };
        let layout = Layout::from_text(layout).map_err(|error| odd(&error.to_string()))?;
        if (scheme == Scheme::Randflake) != key.is_some() {
            return Err(odd(if key.is_some() { "its scheme has no key" } else { "it has no key" }));
        }
        if !matches!(scheme, Scheme::Snowflake | Scheme::Randflake | Scheme::UlidFlake | Scheme::Flake) {
            return Err(odd("its scheme has no nodes"));
        }
        Self::check_layout(scheme, &layout)?;
        let terms = Self::new(name, scheme, &layout, key, max_ttl_s)?;
        if terms.fingerprint != fingerprint {
            return Err(odd(&format!("it would be written {:?}", terms.fingerprint)));
        }
        Ok(terms)
    }

    /// The layout of this scheme's IDs: the one given; else Twitter's of a Snowflake, and of a Randflake and a (scalable) Ulid-Flake their own.
    ///
    /// # Errors
    /// `InvalidArgument` for a scheme without nodes, a Flake without a layout, a Randflake without a secret, a secret of any other scheme, and a
    /// layout that no generator of the scheme has.
    pub fn layout(scheme: Scheme, layout: Option<Layout>, secret: Option<&Secret>) -> Result<Layout, Error> {
        let usual = match scheme {
            Scheme::Snowflake => Some(Layout::TWITTER),
            Scheme::Randflake => Some(Layout::RANDFLAKE),
            Scheme::UlidFlake => Some(Layout::ULID_FLAKE_SCALABLE),
            Scheme::Flake => None,
            _ => {
                return Err(invalid(format!(
                    "{scheme} has no nodes to lease: give snowflake, randflake, ulid-flake or flake"
                )));
            }
        };
        if (scheme == Scheme::Randflake) != secret.is_some() {
            return Err(invalid(if secret.is_some() {
                format!("IDs of {scheme} are not encrypted: give no secret with them")
            } else {
                "a Randflake's nodes are those of one secret: give it".into()
            }));
        }
        let layout =
            layout.or(usual).ok_or_else(|| invalid("a Flake's nodes are those of one layout: give it".into()))?;
        Self::check_layout(scheme, &layout)?;
        Ok(layout)
    }

    /// Whether generators of this scheme can have this layout.
    fn check_layout(scheme: Scheme, layout: &Layout) -> Result<(), Error> {
        let own = match scheme {
            Scheme::Randflake => Layout::RANDFLAKE,
            Scheme::UlidFlake => {
                let format =
                    UlidFlakeFormat { scalability: Some(0), epoch_ms: layout.epoch_ms(), ..UlidFlakeFormat::default() };
                format.layout()?
            }
            _ => return Ok(()),
        };
        if layout.bare() == own.bare() {
            return Ok(());
        }
        let (usual, epoch) = match scheme {
            Scheme::UlidFlake => (Layout::ULID_FLAKE_SCALABLE, " or another epoch's"),
            _ => (own, ""),
        };
        Err(invalid(format!("{scheme} has a layout of its own, {usual}{epoch}, and {layout} was given: give none")))
    }

    /// Whether a lease of this length holds a whole tick of the layout, wherever it begins.
    ///
    /// # Errors
    /// `InvalidArgument` for less than two ticks.
    pub fn check_ticks(layout: &Layout, ttl_us: i64) -> Result<(), Error> {
        let tick_us = i64::try_from(layout.tick_us()).unwrap_or(i64::MAX);
        if ttl_us >= tick_us.saturating_mul(2) {
            return Ok(());
        }
        Err(invalid(format!(
            "a lease of {} s may hold no whole tick of {} ms: give a ttl of two ticks or more",
            ttl_us / 1_000_000,
            tick_us / 1_000
        )))
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Scheme, layout (epoch and tick with it) and key id, as text: leases of one name space are for equal IDs.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// How many nodes there are: 0 to this number, half-open.
    #[must_use]
    pub fn nodes(&self) -> i64 {
        self.nodes
    }

    /// The longest lease, µs.
    #[must_use]
    pub fn max_ttl_us(&self) -> i64 {
        self.max_ttl_us
    }
}

/// A name space as its store has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namespace {
    /// What it was made for.
    pub fingerprint: String,
    /// How many nodes there are.
    pub nodes: i64,
    /// The longest lease, µs; and so how long a quarantine takes.
    pub max_ttl_us: i64,
    /// Drawn when the name space was made: one that was lost and made again has another.
    pub incarnation: i64,
    /// Until when nothing is granted, Unix µs, because leases may have been lost; 0 when nothing is amiss.
    pub quarantine_until_us: i64,
}

impl Namespace {
    /// A new one on these terms.
    #[must_use]
    pub fn of(terms: &Terms, incarnation: i64) -> Self {
        Namespace {
            fingerprint: terms.fingerprint.clone(),
            nodes: terms.nodes,
            max_ttl_us: terms.max_ttl_us,
            incarnation,
            quarantine_until_us: 0,
        }
    }

    /// Whether leases of this name space are for the IDs of this fingerprint.
    ///
    /// # Errors
    /// `NamespaceMismatch`.
    pub fn check(&self, name: &str, fingerprint: &str) -> Result<(), Error> {
        if self.fingerprint == fingerprint {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::NamespaceMismatch,
            format!(
                "the name space {name:?} is for {:?}, and IDs of {fingerprint:?} were asked for: they could be equal to each other's; \
                 give them a name space of their own",
                self.fingerprint
            ),
        ))
    }
}

/// Whether every store can keep something under this name.
pub(crate) fn check_name(what: &str, name: &str) -> Result<(), Error> {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.');
    if !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_plain) {
        return Ok(());
    }
    Err(invalid(format!(
        "{} cannot name {what}: give 1 to {LONGEST_NAME} of the characters A-Z, a-z, 0-9, _, - and .",
        quoted(name)
    )))
}

/// The beginning of what was given as a name, for messages; nothing of a URL, which may have a password.
pub(crate) fn quoted(name: &str) -> String {
    if name.contains('@') || name.contains("://") {
        return "what seems to be a URL (not shown)".into();
    }
    let shown: String = name.chars().take(LONGEST_NAME).collect();
    format!("{shown:?}")
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}
