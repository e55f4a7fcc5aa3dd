//! What an ID can be.

use crate::error::OrThrow;
use crate::integer::exact;
use crate::parts::Parts;
use crate::raw::Ascii;
use napi::Env;
use napi::bindgen_prelude::{BigInt, Either, Either3, Uint8Array, i64n};
use napi_derive::napi;
use saiban::{Error, Inspector, Scheme, Secret};

const OLD_ONLY: &str = "oldSecrets are given without secret: give the newest of them as secret";

/// What a number or text can be, the most plausible first.
#[napi(catch_unwind)]
pub fn inspect(
    env: Env,
    id: Either<BigInt, String>,
    secret: Option<Uint8Array>,
    old_secrets: Vec<Uint8Array>,
    scheme: Option<String>,
) -> napi::Result<Vec<Parts>> {
    candidates(&id, secret.as_deref(), &old_secrets, scheme.as_deref()).or_throw(&env)
}

fn candidates(
    id: &Either<BigInt, String>,
    secret: Option<&[u8]>,
    old_secrets: &[Uint8Array],
    scheme: Option<&str>,
) -> Result<Vec<Parts>, Error> {
    let mut inspector = Inspector::now()?;
    if let Some(secret) = secret {
        inspector = inspector.secret(&Secret::from_slice(secret)?)?;
    } else if !old_secrets.is_empty() {
        // They would be counted from 0, which is the new one's place.
        return Err(Error::InvalidArgument { what: OLD_ONLY });
    }
    for old in old_secrets {
        inspector = inspector.secret(&Secret::from_slice(old)?)?;
    }
    if let Some(scheme) = scheme {
        inspector = inspector.scheme(Scheme::from_name(scheme)?);
    }
    let found = match id {
        Either::A(id) => inspector.inspect(exact(id, "any scheme")?),
        Either::B(text) => inspector.inspect_text(text)?,
    };
    found.iter().map(|parts| described(*parts)).collect()
}

fn described(parts: saiban::Parts) -> Result<Parts, Error> {
    let text = parts.id.encode(parts.scheme.encoding())?;
    let id = parts.id.as_i64().map_or_else(|| Either3::C(Ascii(text)), |id| Either3::A(i64n(id)));
    Parts::of(parts, id, text, None)
}
