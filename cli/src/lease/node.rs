//! Leases the node of `saiban new` while it makes IDs.

use super::place::for_new;
use crate::args::New;
use crate::failure::Failure;
use crate::scheme;
use crate::spec::{refuse_what_the_scheme_lacks, spec};
use saiban_coordination::{Lease, LeaseOptions};

/// The ttl of the lease, seconds: how long the node stays taken after this program was killed.
const TTL_S: i64 = 30;

/// Acquires a lease if `--store` is given, or if the IDs need a node, none is given, and the
/// environment names a store. Returns `None` otherwise.
pub(crate) fn acquire(arguments: &New) -> Result<Option<Lease>, Failure> {
    let scheme = scheme::named(&arguments.scheme)?;
    refuse_what_the_scheme_lacks(scheme, arguments)?;
    let is_given = arguments.node.is_some() || arguments.nodes.is_some() || arguments.scalability.is_some();
    let spec = spec(scheme, arguments)?;
    // By default a Ulid-Flake is stand-alone and needs no node. With `--store` it leases one.
    let has_node = spec.layout_of_ids()?.is_some_and(|layout| layout.has_node());
    let Some(url) = for_new(arguments.store.as_deref(), has_node && !is_given)? else { return Ok(None) };
    let namespace = arguments.namespace.clone();
    let options = LeaseOptions { namespace, ttl_s: TTL_S, ..LeaseOptions::default() }.of_spec(&spec)?;
    let url_shown = saiban_coordination::store::StoreUrl::new(&url)?.to_string();
    Lease::acquire(&url, &options).map(Some).map_err(|error| Failure::Store { store: Some(url_shown), error })
}
