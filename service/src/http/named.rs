//! The extractor of names in paths, for the handlers of this folder.

use crate::problem::Problem;
use axum::extract::{FromRequestParts, Path};
use http::request::Parts;

/// The name of a scheme or of a namespace, decoded.
pub(super) struct Named(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(Named(name)),
            Err(_) => Err(Problem::input("the path cannot be read: its names are percent-encoded UTF-8")),
        }
    }
}
