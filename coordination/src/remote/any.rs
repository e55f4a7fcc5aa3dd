//! A remote generator of whichever IDs the service has.

use super::generator::RemoteGenerator;
use super::options::RemoteOptions;
use super::service::Service;
use crate::Error;
use crate::store::StoreUrl;

/// A remote generator of whichever IDs the service has: what bindings hold, which learn only from the service how wide they are.
#[derive(Debug)]
pub enum AnyRemote {
    /// IDs of up to 64 bits.
    Narrow(RemoteGenerator<i64>),
    /// Wider ones.
    Wide(RemoteGenerator<u128>),
}

impl AnyRemote {
    /// As [`RemoteGenerator::open`], of either width.
    ///
    /// # Errors
    /// As [`RemoteGenerator::open`].
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
