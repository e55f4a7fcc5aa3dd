//! Descriptions of the schemes.

use crate::auth::Access;
use crate::problem::Problem;
use crate::scheme::Scheme;
use crate::service::Service;
use serde::Serialize;

/// The description of a scheme, as responses contain it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Described {
    pub(crate) name: String,
    pub(crate) scheme: &'static str,
    pub(crate) layout: Option<String>,
    pub(crate) bits: u32,
    pub(crate) encoding: &'static str,
    pub(crate) prefix: Option<String>,
    pub(crate) namespace: Option<String>,
    pub(crate) nodes: Option<i64>,
    pub(crate) ready: bool,
    pub(crate) fingerprint: String,
}

impl Service {
    /// Describes all schemes that the token is for.
    pub(crate) fn describe_all(&self, access: &Access) -> Vec<Described> {
        self.schemes.values().filter(|scheme| access.check_known(scheme.name()).is_ok()).map(Scheme::describe).collect()
    }

    /// Describes the scheme `name`.
    ///
    /// # Errors
    /// `PERMISSION_DENIED` if the token is not for this scheme, or `UNKNOWN_NAME`.
    pub(crate) fn describe(&self, access: &Access, name: &str) -> Result<Described, Problem> {
        access.check_known(name)?;
        let scheme = self.schemes.get(name);
        scheme.map(Scheme::describe).ok_or_else(|| self.unknown(access, name))
    }
}

impl Scheme {
    fn describe(&self) -> Described {
        let nodes = self.status().and_then(|status| status.nodes).map(|nodes| nodes.end - nodes.start);
        Described {
            name: self.name().into(),
            scheme: self.family().name(),
            layout: self.layout().map(ToString::to_string).or_else(|| self.order().map(str::to_owned)),
            bits: self.bits(),
            encoding: self.encoding().name(),
            prefix: self.prefix().map(str::to_owned),
            namespace: self.namespace().map(str::to_owned),
            nodes,
            ready: self.is_ready(),
            fingerprint: self.fingerprint().into(),
        }
    }
}
