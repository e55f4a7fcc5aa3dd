//! The node of `saiban new`, leased for as long as it makes IDs.

use super::place::for_new;
use super::subject::leased_layout;
use crate::args::New;
use crate::failure::Failure;
use crate::{new, scheme, secret};
use saiban::{Scheme, UlidFlakeFormat};
use saiban_coordination::{Lease, LeaseOptions};

/// How long nobody else has the node after this program was killed, seconds.
const TTL_S: i64 = 30;

/// Acquires it, where one is to be leased.
pub(crate) fn acquire(arguments: &New) -> Result<Option<Lease>, Failure> {
    let scheme = scheme::named(&arguments.scheme)?;
    new::refuse_what_the_scheme_lacks(scheme, arguments)?;
    let is_given = arguments.node.is_some() || arguments.nodes.is_some();
    let chosen =
        if matches!(scheme, Scheme::Snowflake | Scheme::Flake) { Some(new::layout(scheme, arguments)?) } else { None };
    let has_node = chosen.map_or(scheme == Scheme::Randflake, |layout| layout.has_node());
    let Some(url) = for_new(arguments.store.as_deref(), has_node && !is_given)? else { return Ok(None) };
    let layout = match (chosen, arguments.entropy_size) {
        (Some(layout), _) => layout,
        (None, Some(entropy_size)) if scheme == Scheme::UlidFlake => {
            UlidFlakeFormat { scalability: Some(0), entropy_size, ..UlidFlakeFormat::default() }.layout()?
        }
        (None, _) => leased_layout(scheme)?.unwrap_or(saiban::Layout::TWITTER),
    };
    let secret = (scheme == Scheme::Randflake).then(|| secret::require(&arguments.secret)).transpose()?;
    let namespace = arguments.namespace.clone();
    let options =
        LeaseOptions { namespace, ttl_s: TTL_S, scheme, layout: Some(layout), secret, ..LeaseOptions::default() };
    let url_shown = saiban_coordination::store::StoreUrl::new(&url)?.to_string();
    Lease::acquire(&url, &options).map(Some).map_err(|error| Failure::Store { store: Some(url_shown), error })
}
