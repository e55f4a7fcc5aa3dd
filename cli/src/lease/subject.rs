//! Whose nodes they are: the scheme and the layout of a name space.

use super::args::What;
use crate::failure::Failure;
use crate::scheme::{self, layout_of, refuse_unless};
use crate::secret;
use saiban::{Layout, Scheme, Secret};
use saiban_coordination::lease::Terms;

/// What a lease is for.
pub(super) struct Subject {
    pub(super) scheme: Scheme,
    pub(super) layout: Layout,
    pub(super) secret: Option<Secret>,
}

impl Subject {
    pub(super) fn of(arguments: &What) -> Result<Self, Failure> {
        const LAYOUTS: [Scheme; 2] = [Scheme::Snowflake, Scheme::Flake];
        let scheme = scheme::named(&arguments.scheme)?;
        refuse_unless(&LAYOUTS, scheme, arguments.layout.is_some(), "--layout")?;
        refuse_unless(&[Scheme::Randflake], scheme, arguments.secret.file.is_some(), "--secret-file")?;
        let layout = match leased_layout(scheme)? {
            Some(layout) => layout,
            None => layout_of(scheme, arguments.layout.as_deref())?,
        };
        let secret = (scheme == Scheme::Randflake).then(|| secret::require(&arguments.secret)).transpose()?;
        Ok(Subject { scheme, layout, secret })
    }

    pub(super) fn terms(&self, namespace: &str, max_ttl_s: i64) -> Result<Terms, Failure> {
        let key_id = self.secret.as_ref().map(Secret::key_id);
        Ok(Terms::new(namespace, self.scheme, &self.layout, key_id, max_ttl_s)?)
    }
}

/// The layout of a scheme that has one of its own; `None` for those whose users choose it.
pub(super) fn leased_layout(scheme: Scheme) -> Result<Option<Layout>, Failure> {
    Ok(match scheme {
        Scheme::Snowflake | Scheme::Flake => None,
        Scheme::Randflake => Some(Layout::RANDFLAKE),
        Scheme::UlidFlake => Some(Layout::ULID_FLAKE_SCALABLE),
        _ => {
            return Err(Failure::Arguments(format!(
                "{scheme} has no nodes to lease: give snowflake, randflake, ulid-flake or flake"
            )));
        }
    })
}
