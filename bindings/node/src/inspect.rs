//! What an ID can be.

use crate::error::OrThrow;
use crate::integer::exact;
use crate::parts::Parts;
use napi::Env;
use napi::bindgen_prelude::{BigInt, Either, Uint8Array};
use napi_derive::napi;
use saiban::{Error, Inspector, Scheme, Secret};

/// What a number or text can be, the most plausible first.
#[napi(catch_unwind)]
pub fn inspect(
    env: Env,
    id: Either<BigInt, String>,
    secret: Option<Uint8Array>,
    scheme: Option<String>,
) -> napi::Result<Vec<Parts>> {
    candidates(&id, secret.as_deref(), scheme.as_deref()).or_throw(&env)
}

fn candidates(id: &Either<BigInt, String>, secret: Option<&[u8]>, scheme: Option<&str>) -> Result<Vec<Parts>, Error> {
    let mut inspector = Inspector::now()?;
    if let Some(secret) = secret {
        inspector = inspector.secret(&Secret::from_slice(secret)?)?;
    }
    if let Some(scheme) = scheme {
        inspector = inspector.scheme(Scheme::from_name(scheme)?);
    }
    let found = match id {
        Either::A(id) => inspector.inspect(exact(id, "any scheme")?),
        Either::B(text) => inspector.inspect_text(text)?,
    };
    found.iter().map(|parts| Parts::try_from(*parts)).collect()
}
