//! The parameters after the `?` of a request's path.

use crate::problem::Problem;
use axum::extract::{FromRequestParts, Query};
use http::request::Parts;

/// The parameters of a request, in their order.
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// The value of a parameter, if it is given.
    ///
    /// # Errors
    /// A parameter that is given more than once.
    pub(super) fn get(&self, name: &str) -> Result<Option<&str>, Problem> {
        let mut values = self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let value = values.next();
        match values.next() {
            None => Ok(value),
            Some(_) => Err(Problem::input(format!("{name} is given more than once: give it once"))),
        }
    }

    /// Refuses parameters of other names: a misspelt one would be ignored.
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
