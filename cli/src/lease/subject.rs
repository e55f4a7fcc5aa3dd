//! The scheme, the layout and the secret of a namespace, from the arguments.

use super::args::What;
use crate::failure::Failure;
use crate::scheme::{self, layout_of, refuse_unless_taken};
use crate::secret;
use saiban::scheme::GeneratorOption;
use saiban::{Layout, Scheme, Secret};
use saiban_coordination::lease::Terms;

/// The IDs that a lease is for.
pub(super) struct Subject {
    pub(super) scheme: Scheme,
    pub(super) layout: Layout,
    pub(super) secret: Option<Secret>,
}

impl Subject {
    pub(super) fn of(arguments: &What) -> Result<Self, Failure> {
        let scheme = scheme::named(&arguments.scheme)?;
        refuse_unless_taken(scheme, GeneratorOption::Layout, arguments.layout.is_some(), "--layout")?;
        refuse_unless_taken(scheme, GeneratorOption::Secret, arguments.secret.file.is_some(), "--secret-file")?;
        let chosen = layout_of(scheme, arguments.layout.as_deref())?;
        let is_encrypted = scheme.takes(GeneratorOption::Secret);
        let secret = is_encrypted.then(|| secret::require(&arguments.secret)).transpose()?;
        let layout = Terms::layout(scheme, chosen, secret.as_ref())?;
        Ok(Subject { scheme, layout, secret })
    }

    pub(super) fn terms(&self, namespace: &str, max_ttl_s: i64) -> Result<Terms, Failure> {
        let key_id = self.secret.as_ref().map(Secret::key_id);
        Ok(Terms::new(namespace, self.scheme, &self.layout, key_id, max_ttl_s)?)
    }
}
