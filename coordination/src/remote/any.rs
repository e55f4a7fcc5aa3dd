//! A remote generator for either width of IDs.

use super::generator::RemoteGenerator;
use super::options::RemoteOptions;
use super::service::Service;
use crate::Error;
use crate::store::StoreUrl;

/// A remote generator for either width of IDs.
///
/// Bindings use it, because only the service knows how wide its IDs are.
#[derive(Debug)]
pub enum AnyRemote {
    /// IDs of up to 64 bits.
    Narrow(RemoteGenerator<i64>),
    /// Wider IDs.
    Wide(RemoteGenerator<u128>),
}

impl AnyRemote {
    /// Opens a remote generator of the width that the service's IDs have.
    ///
    /// # Errors
    /// Those of [`RemoteGenerator::open`], except the one for IDs of the other width.
    pub fn open(url: &str, scheme: &str, options: &RemoteOptions) -> Result<Self, Error> {
        let limits = options.check()?;
        let url = StoreUrl::new(url)?;
        let form = Service::new(&url, scheme)?.form(limits.wait)?;
        Ok(match form.is_wide() {
            false => AnyRemote::Narrow(RemoteGenerator::of(url, scheme, form, limits)?),
            true => AnyRemote::Wide(RemoteGenerator::of(url, scheme, form, limits)?),
        })
    }
}
