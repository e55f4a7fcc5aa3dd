//! Reads the bodies of requests, within the limits of size and time.

use crate::problem::{Code, Problem};
use crate::service::Service;
use axum::body::Body;
use bytes::Bytes;
use http::Request;
use http::header::CONTENT_TYPE;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use std::fmt;

/// Reads a JSON body without parsing it.
///
/// # Errors
/// `UNSUPPORTED_MEDIA_TYPE`, `TOO_LARGE`, `TIMEOUT`, or `INVALID_ARGUMENT` if the body is
/// incomplete.
pub(super) async fn bytes(service: &Service, request: Request<Body>) -> Result<Bytes, Problem> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let what =
            format!("the body is {:?}: send JSON, with the header Content-Type: application/json", excerpt(kind));
        return Err(Problem::new(Code::UnsupportedMediaType, what));
    }
    let most = service.limits().max_body_bytes;
    let body = Limited::new(request.into_body(), most).collect();
    match tokio::time::timeout(service.limits().body_timeout(), body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let what = format!("the body is larger than {most} bytes (limits.max_body_bytes): send less at once");
            Err(Problem::new(Code::TooLarge, what))
        }
        Ok(Err(error)) => Err(Problem::input(format!("the body did not arrive whole: {error}"))),
        Err(_) => {
            let limit_s = service.limits().body_timeout_s;
            let what = format!("the body did not arrive within {limit_s} s (limits.body_timeout_s): send it faster");
            Err(Problem::new(Code::Timeout, what))
        }
    }
}

/// Reads and parses a JSON body.
///
/// # Errors
/// The errors of `bytes`, and `INVALID_ARGUMENT` for a body that is not valid.
pub(super) async fn json<T: DeserializeOwned>(service: &Service, request: Request<Body>) -> Result<T, Problem> {
    let bytes = bytes(service, request).await?;
    serde_json::from_slice(&bytes).map_err(|error| Problem::input(format!("the body is invalid: {error}")))
}

/// Returns the first 64 characters, for messages.
fn excerpt(text: &str) -> String {
    text.chars().take(64).collect()
}

/// An integer in JSON, as a number or as text, because many programs round large numbers in JSON.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number(i128);

impl Number {
    /// Returns the number as 64 bits, signed.
    pub(super) fn signed(self, name: &str) -> Result<i64, Problem> {
        i64::try_from(self.0).map_err(|_| Problem::input(format!("{name} is {}: give a number of 64 bits", self.0)))
    }

    /// Returns the number if it is not negative.
    pub(super) fn unsigned(self, name: &str) -> Result<u128, Problem> {
        u128::try_from(self.0).map_err(|_| Problem::input(format!("{name} is {}: give 0 or more", self.0)))
    }
}

impl<'de> de::Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Digits;

        impl Visitor<'_> for Digits {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, or its decimal digits")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Number, E> {
                Ok(Number(number.into()))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Number, E> {
                Ok(Number(number.into()))
            }

            fn visit_str<E: de::Error>(self, digits: &str) -> Result<Number, E> {
                // Only the canonical form is accepted, as in the bodies of leases: neither `+1` nor
                // `01`.
                let number = digits.parse().ok().filter(|number: &i128| number.to_string() == digits);
                number.map(Number).ok_or_else(|| E::invalid_value(de::Unexpected::Str(&excerpt(digits)), &self))
            }
        }

        deserializer.deserialize_any(Digits)
    }
}
