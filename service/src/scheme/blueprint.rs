//! Checks the configuration of a scheme, and builds its generators. [`Scheme`](super::Scheme) uses
//! it.

use crate::config::SchemeConfig;
use saiban::scheme::GeneratorOption;
use saiban::{
    AnyGenerator, Error, GeneratorSpec, Layout, Options, Prefix, Rollback, Scheme as Family, Secret, SystemClock,
    TickOrder,
};
use saiban_coordination::{AnyIssuer, Lease, NodesFrom};
use std::time::Duration;

/// The specification of a scheme, and how to build its generator once it has a lease.
pub(crate) struct Blueprint {
    pub(crate) spec: GeneratorSpec,
    /// The layout, or `None` if the scheme has none.
    pub(crate) layout: Option<Layout>,
    /// Whether the nodes are leased.
    pub(crate) is_leased: bool,
    /// Inspects and composes IDs.
    pub(crate) reader: AnyGenerator,
    options: Options,
}

impl Blueprint {
    /// Reads and checks the configuration of a scheme. It does not contact the store.
    pub(crate) fn of(config: &SchemeConfig, secret: Option<Secret>) -> Result<Self, Error> {
        // The name `uuid` means the version for new IDs, as in the command.
        let family = Family::from_name(&config.scheme)?.generated();
        let mut spec = GeneratorSpec::new(family);
        spec.layout = config.layout.as_deref().map(read_layout).transpose()?;
        if secret.is_none() && spec.scheme.takes(GeneratorOption::Secret) {
            let what = "the secret is missing: give secret_file, a file with 32 hexadecimal digits (saiban secret)";
            return Err(Error::InvalidArgument { what });
        }
        spec.secret = secret;
        spec.order = config.order.as_deref().map(TickOrder::from_name).transpose()?;
        spec.prefix = config.prefix.as_deref().map(Prefix::new).transpose()?;
        spec.entropy_size = config.entropy_size;
        let leased = spec.under_lease();
        let layout = leased.layout_of_ids()?;
        let reader = leased.reader()?;
        let is_leased = layout.is_some_and(|layout| layout.has_node());
        Ok(Blueprint { options: options(family, config)?, spec, layout, is_leased, reader })
    }

    /// Builds the generator, with the nodes of the lease if they are leased.
    pub(super) fn build(&self, lease: Option<&Lease>) -> Result<AnyIssuer, saiban_coordination::Error> {
        let nodes = lease.map_or(NodesFrom::Options, NodesFrom::Lease);
        AnyIssuer::open(&self.spec, self.options.clone(), nodes, SystemClock)
    }

    /// Returns the fingerprint of IDs without nodes: the scheme, with its layout or order.
    pub(super) fn fingerprint(&self) -> String {
        let family = self.spec.scheme;
        let layout = self.layout.as_ref().map(|layout| layout.bare().to_string());
        let form = layout.or_else(|| self.order().map(str::to_owned));
        form.map_or_else(|| family.name().to_owned(), |form| format!("{family} {form}"))
    }

    /// Returns the order of tick IDs, or `None` for other schemes.
    pub(super) fn order(&self) -> Option<&'static str> {
        let order = self.spec.order.unwrap_or(TickOrder::Ascending);
        self.spec.scheme.takes(GeneratorOption::Order).then_some(order.name())
    }
}

/// Returns the options of the generator. It never waits itself: the request waits, and blocks no
/// other.
fn options(family: Family, config: &SchemeConfig) -> Result<Options, Error> {
    let max_jump = config.max_jump_s.map(Options::jump_s).transpose()?;
    let rollback = config.rollback.as_deref().map(Rollback::from_name).transpose()?;
    let max_wait = family.takes(GeneratorOption::MaxWait).then_some(Duration::ZERO);
    let mut options = Options::default();
    (options.max_jump, options.rollback, options.max_wait) = (max_jump, rollback, max_wait);
    Ok(options)
}

/// Parses a layout from text, the name of a preset, or JSON.
fn read_layout(text: &str) -> Result<Layout, Error> {
    let text = text.trim();
    if text.starts_with(['{', '[']) { Layout::from_json(text) } else { Layout::from_text(text) }
}
