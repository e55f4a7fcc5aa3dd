//! Checks the parameters of PostgreSQL's and MySQL's URLs.

use crate::Error;
use crate::store::StoreUrl;
use crate::store::url::parameter;
use saiban::ErrorKind;

/// Parses a store's URL to a client's options. `known` are the parameters that the client supports.
/// Others are rejected, because the client would ignore a misspelt `sslmode`.
pub(super) fn client_options<O: sqlx::ConnectOptions>(url: &StoreUrl, known: &[&str]) -> Result<O, Error> {
    let invalid = |what: String| Error::new(ErrorKind::InvalidArgument, format!("the store's URL {url} {what}"));
    let unknown = url.secret().query_pairs().map(|(key, _)| key.into_owned()).find(|key| {
        let is_known = known.contains(&key.as_str());
        let is_option = known.contains(&"options") && key.starts_with("options[");
        !is_known && !is_option
    });
    if let Some(key) = unknown {
        let key = parameter(&key);
        return Err(invalid(format!("has a parameter {key} that is not known: give one of {}", known.join(", "))));
    }
    O::from_url(url.secret()).map_err(|error| invalid(format!("cannot be read ({error}): check its parameters")))
}
