//! The terms of a namespace: scheme, layout, secret and limits.

use crate::Error;
use saiban::scheme::GeneratorOption;
use saiban::{ErrorKind, GeneratorSpec, Layout, Scheme, Secret};

/// The maximum length of a namespace's or a counter's name, characters.
pub const LONGEST_NAME: usize = 64;

/// The maximum number of nodes of one lease.
pub const MAX_NODES_AT_ONCE: i64 = 65_536;

/// The default maximum ttl of a new namespace, seconds.
pub const DEFAULT_MAX_TTL_S: i64 = 3_600;

/// The upper limit of any namespace's maximum ttl, seconds: 30 days.
pub(crate) const MAX_TTL_S: i64 = 30 * 86_400;

/// The terms of a namespace, which never change after its creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    name: String,
    fingerprint: String,
    nodes: i64,
    max_ttl_us: i64,
}

impl Terms {
    /// Creates the terms of a namespace for IDs of this scheme and layout.
    ///
    /// `key_id` identifies the secret of encrypted IDs. IDs of two secrets need two namespaces.
    ///
    /// # Errors
    /// - `InvalidArgument` for a name that is empty, longer than 64 characters, or has characters
    ///   other than letters, digits, `_`, `-` and `.`.
    /// - `InvalidArgument` for a layout without a node field.
    /// - `InvalidArgument` for a `max_ttl_s` outside 1 s to 30 days.
    pub fn new(
        name: &str,
        scheme: Scheme,
        layout: &Layout,
        key_id: Option<u32>,
        max_ttl_s: i64,
    ) -> Result<Self, Error> {
        check_name("a namespace", name)?;
        if !layout.has_node() {
            return Err(invalid("the layout has no node field, so there is nothing to lease: give it one".into()));
        }
        if !(1..=MAX_TTL_S).contains(&max_ttl_s) {
            return Err(invalid(format!("max_ttl_s is {max_ttl_s}: give 1 to {MAX_TTL_S} seconds")));
        }
        let key = key_id.map(|id| format!(" key={id:08x}")).unwrap_or_default();
        Ok(Terms {
            name: name.into(),
            fingerprint: format!("{} {}{key}", scheme.name(), layout.bare()),
            // With 2^63 nodes the last one is never leased: the end of its half-open range would
            // exceed `i64`.
            nodes: i64::try_from(layout.max_node()).unwrap_or(i64::MAX).saturating_add(1),
            max_ttl_us: max_ttl_s * 1_000_000,
        })
    }

    /// Parses the terms of a namespace from a fingerprint, which [`Terms::fingerprint`] returns.
    ///
    /// ```
    /// use saiban_coordination::lease::Terms;
    /// let fingerprint = "snowflake timestamp:41,epoch=2010-11-04T01:42:54.657Z node:10 sequence:12";
    /// assert_eq!(Terms::of_fingerprint("orders", fingerprint, 3_600)?.nodes(), 1_024);
    /// # Ok::<(), saiban_coordination::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for a text that is not the fingerprint of leased IDs; those of
    /// [`Terms::new`].
    pub fn of_fingerprint(name: &str, fingerprint: &str, max_ttl_s: i64) -> Result<Self, Error> {
        let odd = |why: &str| {
            let shown = quoted(fingerprint);
            invalid(format!(
                "{shown} is not a fingerprint of leased IDs ({why}): give the scheme, its layout without names, and \
                 of a Randflake the key's number (key=), as saiban lease ls shows them"
            ))
        };
        let (scheme, layout) = fingerprint.split_once(' ').ok_or_else(|| odd("it has no layout"))?;
        let scheme = Scheme::from_name(scheme).map_err(|error| odd(&error.to_string()))?;
        let (layout, key) = match layout.rsplit_once(" key=") {
            Some((layout, digits)) => (
                layout,
                Some(
                    u32::from_str_radix(digits, 16)
                        .map_err(|_| odd("its key is not a number of 8 hexadecimal digits"))?,
                ),
            ),
            None => (layout, None),
        };
        let layout = Layout::from_text(layout).map_err(|error| odd(&error.to_string()))?;
        if scheme.takes(GeneratorOption::Secret) != key.is_some() {
            return Err(odd(if key.is_some() { "its scheme has no key" } else { "it has no key" }));
        }
        if !scheme.takes(GeneratorOption::Lease) {
            return Err(odd("its scheme has no nodes"));
        }
        Self::check_layout(scheme, &layout)?;
        let terms = Self::new(name, scheme, &layout, key, max_ttl_s)?;
        if terms.fingerprint != fingerprint {
            return Err(odd(&format!("it would be written {:?}", terms.fingerprint)));
        }
        Ok(terms)
    }

    /// Returns the layout of a scheme's IDs: the given one, or else the scheme's own.
    ///
    /// A Snowflake's is Twitter's. Randflakes and (scalable) Ulid-Flakes have their own.
    ///
    /// # Errors
    /// - `InvalidArgument` for a scheme without nodes, and for a Flake without a layout.
    /// - `InvalidArgument` for a Randflake without a secret, and for any other scheme with one.
    /// - `InvalidArgument` for a layout that no generator of the scheme has.
    pub fn layout(scheme: Scheme, layout: Option<Layout>, secret: Option<&Secret>) -> Result<Layout, Error> {
        if !scheme.takes(GeneratorOption::Lease) {
            let leased: Vec<_> = Scheme::ALL.iter().filter(|scheme| scheme.takes(GeneratorOption::Lease)).collect();
            let names: Vec<_> = leased.iter().map(|scheme| scheme.name()).collect();
            return Err(invalid(format!("{scheme} has no nodes to lease: give one of {}", names.join(", "))));
        }
        if scheme.takes(GeneratorOption::Secret) != secret.is_some() {
            return Err(invalid(if secret.is_some() {
                format!("IDs of {scheme} are not encrypted: give no secret with them")
            } else {
                format!("the nodes of a {scheme} are those of one secret: give it")
            }));
        }
        let layout = match layout {
            Some(layout) => layout,
            None => own_layout(scheme)?
                .ok_or_else(|| invalid(format!("the nodes of a {scheme} are those of one layout: give it")))?,
        };
        Self::check_layout(scheme, &layout)?;
        Ok(layout)
    }

    /// Checks that generators of this scheme can have this layout.
    ///
    /// A scheme without a layout option has only its own layout. If the scheme has an epoch option,
    /// its layout may have another epoch.
    fn check_layout(scheme: Scheme, layout: &Layout) -> Result<(), Error> {
        if scheme.takes(GeneratorOption::Layout) {
            return Ok(());
        }
        let has_epoch = scheme.takes(GeneratorOption::EpochMs);
        let own = leased_spec(scheme, has_epoch.then_some(layout.epoch_ms())).layout_of_ids()?;
        if own.is_some_and(|own| layout.bare() == own.bare()) {
            return Ok(());
        }
        let own = own_layout(scheme)?.map(|own| own.to_string()).unwrap_or_default();
        let epoch = if has_epoch { " or another epoch's" } else { "" };
        Err(invalid(format!("{scheme} has a layout of its own, {own}{epoch}, and {layout} was given: give none")))
    }

    /// Checks that a lease of this length contains a whole tick of the layout, wherever it begins.
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

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns scheme, layout (with epoch and tick) and key id as text.
    ///
    /// Leases of one namespace are for IDs of one fingerprint.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Returns the number of nodes. The first node is 0.
    #[must_use]
    pub fn nodes(&self) -> i64 {
        self.nodes
    }

    /// Returns the maximum ttl, µs.
    #[must_use]
    pub fn max_ttl_us(&self) -> i64 {
        self.max_ttl_us
    }
}

/// A namespace as its store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namespace {
    /// The fingerprint of its IDs.
    pub fingerprint: String,
    /// The number of nodes.
    pub nodes: i64,
    /// The maximum ttl, µs. A quarantine lasts at least as long.
    pub max_ttl_us: i64,
    /// A random number from the namespace's creation. A namespace that was lost and created again
    /// has another one.
    pub incarnation: i64,
    /// The end of the quarantine, Unix µs: nothing is granted before it. 0 if there was none.
    pub quarantine_until_us: i64,
}

impl Namespace {
    /// Creates a namespace with these terms.
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

    /// Checks that leases of this namespace are for IDs of this fingerprint.
    ///
    /// # Errors
    /// `NamespaceMismatch` if they are not.
    pub fn check(&self, name: &str, fingerprint: &str) -> Result<(), Error> {
        if self.fingerprint == fingerprint {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::NamespaceMismatch,
            format!(
                "the namespace {name:?} is for {:?}, and IDs of {fingerprint:?} were requested: their IDs could be \
                 equal, so give them a separate namespace",
                self.fingerprint
            ),
        ))
    }
}

/// Checks that every store accepts this name.
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

/// Quotes the beginning of a name for messages. Shows nothing of a URL, which may contain a
/// password.
pub(crate) fn quoted(name: &str) -> String {
    if name.contains('@') || name.contains("://") {
        return "what seems to be a URL (not shown)".into();
    }
    let shown: String = name.chars().take(LONGEST_NAME).collect();
    format!("{shown:?}")
}

/// Returns the specification of a scheme's generator under a lease.
fn leased_spec(scheme: Scheme, epoch_ms: Option<i64>) -> GeneratorSpec {
    let mut spec = GeneratorSpec::new(scheme).under_lease();
    spec.epoch_ms = epoch_ms;
    spec
}

/// Returns the scheme's default layout, if it has one.
fn own_layout(scheme: Scheme) -> Result<Option<Layout>, Error> {
    // Only a Flake has no default layout.
    match leased_spec(scheme, None).layout_of_ids() {
        Ok(layout) => Ok(layout),
        Err(saiban::Error::OptionMissing { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}
