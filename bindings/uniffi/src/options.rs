//! The arguments of generators.

use crate::clock::ManualClock;
use crate::convert::Interval;
use crate::crossing::{Width, other_width};
use crate::error::Failure;
use crate::layout::Layout;
use crate::lease::Lease;
use crate::rollback::Rollback;
use crate::scope::Scope;
use crate::tick_order::TickOrder;
use saiban::{AnyClock, GeneratorSpec, Options, Prefix, Scheme, Secret, UuidVersion};
use saiban_coordination::{AnyIssuer, Issuer, NodesFrom, StoreNodes};
use std::sync::Arc;
use zeroize::Zeroizing;

/// The arguments of all constructors of generators, as UniFFI passes them.
#[derive(Default)]
pub(crate) struct Given {
    pub(crate) layout: Option<Arc<Layout>>,
    pub(crate) secret: Option<Vec<u8>>,
    pub(crate) version: Option<i64>,
    pub(crate) order: Option<TickOrder>,
    pub(crate) scalability: Option<i64>,
    pub(crate) entropy_size: Option<i64>,
    pub(crate) epoch_ms: Option<i64>,
    pub(crate) allow_collisions: bool,
    pub(crate) prefix: Option<String>,
    pub(crate) node: Option<i64>,
    pub(crate) nodes: Option<Interval>,
    pub(crate) window: Option<Interval>,
    pub(crate) not_before: Option<i64>,
    pub(crate) state: Option<String>,
    pub(crate) rollback: Option<Rollback>,
    pub(crate) shards: Option<i64>,
    pub(crate) clock: Option<Arc<ManualClock>>,
    pub(crate) max_jump_s: Option<i64>,
    pub(crate) max_wait_ms: Option<i64>,
    pub(crate) lease: Option<Arc<Lease>>,
    pub(crate) store: Option<String>,
    pub(crate) namespace: Option<String>,
    pub(crate) scope: Option<Scope>,
}

impl Given {
    /// Opens a generator of this scheme.
    pub(crate) fn open<I: Width>(mut self, scheme: Scheme) -> Result<Issuer<I>, Failure> {
        let spec = self.spec(scheme)?;
        // Check before the generator is opened, because an open generator has already taken nodes.
        if let (None, Some(layout)) = (spec.scheme.info().bits, spec.layout)
            && layout.is_wide() != I::IS_WIDE
        {
            return Err(other_width(layout.size_bits()).into());
        }
        let mut options = Options::default();
        options.node = self.node;
        options.nodes = self.nodes.map(|nodes| nodes.0);
        options.window = self.window.map(|window| window.0);
        options.not_before = self.not_before;
        options.state = self.state.map(Into::into);
        options.rollback = self.rollback.map(Into::into);
        options.shards = self.shards;
        options.scope = self.scope.map(Into::into);
        options.max_jump = self.max_jump_s.map(Options::jump_s).transpose()?;
        options.max_wait = self.max_wait_ms.map(Options::wait_ms).transpose()?;
        let store = StoreNodes::given(self.store, self.namespace)?;
        let nodes = NodesFrom::given(self.lease.as_deref().map(Lease::to_core), store.as_ref())?;
        let clock = self.clock.map_or(AnyClock::System, |clock| clock.to_any());
        Ok(I::of_width(AnyIssuer::open(&spec, options, nodes, clock)?)?)
    }

    /// Returns the specification of the IDs. A UUID's version decides its scheme.
    fn spec(&mut self, scheme: Scheme) -> Result<GeneratorSpec, Failure> {
        let secret = self.secret.take().map(Zeroizing::new);
        let version = self.version.map(UuidVersion::from_number).transpose()?;
        let mut spec = GeneratorSpec::new(version.map_or(scheme, UuidVersion::scheme));
        spec.layout = self.layout.as_ref().map(|layout| layout.to_core());
        spec.secret = secret.map(|secret| Secret::from_slice(&secret)).transpose()?;
        spec.order = self.order.map(Into::into);
        (spec.scalability, spec.entropy_size, spec.epoch_ms) = (self.scalability, self.entropy_size, self.epoch_ms);
        spec.allow_collisions = self.allow_collisions;
        spec.prefix = self.prefix.as_deref().map(Prefix::new).transpose()?;
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::SaibanError;

    #[test]
    fn a_layout_of_the_other_width_is_refused_before_a_generator_is_opened() {
        let state = std::env::temp_dir().join(format!("saiban-width-{}", std::process::id()));
        let given = |text: &str| Given {
            layout: Some(Arc::new(Layout::from_text(text.into()).unwrap())),
            node: Some(1),
            state: Some(state.to_str().unwrap().into()),
            ..Given::default()
        };
        let wide = given("timestamp:48 node:16 sequence:64").open::<i64>(Scheme::Flake);
        let narrow = given("timestamp:42 node:10 sequence:12").open::<u128>(Scheme::Flake);
        assert!(matches!(wide, Err(SaibanError::InvalidLayout(_))));
        assert!(matches!(narrow, Err(SaibanError::InvalidLayout(_))));
        assert!(!state.exists());
    }
}
