//! The extractor of the query string, for the handlers of this folder.

use crate::problem::Problem;
use axum::extract::{FromRequestParts, Query};
use http::request::Parts;

/// The parameters of a request, in order.
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Returns the value of a parameter, or `None` if it is missing.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`: the parameter appears more than once.
    pub(super) fn get(&self, name: &str) -> Result<Option<&str>, Problem> {
        let mut values = self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let value = values.next();
        match values.next() {
            None => Ok(value),
            Some(_) => Err(Problem::input(format!("{name} is given more than once: give it once"))),
        }
    }

    /// Refuses parameters with other names, so that a misspelt one is not ignored.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT`.
    pub(super) fn only(&self, names: &[&str]) -> Result<(), Problem> {
        match self.0.iter().find(|(name, _)| !names.contains(&name.as_str())) {
            None => Ok(()),
            Some((name, _)) => {
                let name: String = name.chars().take(64).collect();
                Err(Problem::input(format!("there is no parameter {name:?}: give {}", names.join(" or "))))
            }
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Parameters {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(pairs)) => Ok(Parameters(pairs)),
            Err(_) => Err(Problem::input("the query cannot be read: send name=value&name=value, percent-encoded")),
        }
    }
}
