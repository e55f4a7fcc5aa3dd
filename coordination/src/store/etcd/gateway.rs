//! The client for etcd's JSON gateway over HTTP: chooses the member, authenticates, and reads the
//! member's time.

use super::super::endpoints::Cluster;
use super::super::members::{self, Members};
use crate::Error;
use crate::store::StoreUrl;
use crate::store::errors::{refused, unavailable};
use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, DATE, HeaderMap, HeaderValue};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::Mutex;

/// gRPC's codes for a wrong or missing password, and for a request that the user has no right to.
const INVALID_ARGUMENT: i64 = 3;
const PERMISSION_DENIED: i64 = 7;

/// gRPC's code for a token that is unknown or has expired.
const UNAUTHENTICATED: i64 = 16;

/// The members of a cluster.
pub(super) struct Gateway {
    url: StoreUrl,
    members: Members,
    login: Option<(String, String)>,
    /// The token that the members gave for the login. They may discard it at any time.
    token: Mutex<Option<HeaderValue>>,
}

/// The reason why there is no response.
enum Failure {
    /// No member can be reached now.
    Members(String),
    /// The members do not accept the token.
    Token(String),
    /// The members reject the request.
    Refused(String),
    /// The members reject the login, or the user lacks the right.
    Denied(String),
}

impl Failure {
    fn why(self) -> String {
        match self {
            Failure::Members(why) | Failure::Token(why) | Failure::Refused(why) | Failure::Denied(why) => why,
        }
    }
}

type Answer = (Value, i64);

impl Gateway {
    /// Makes the client. Opens no connection.
    ///
    /// # Errors
    /// `InvalidArgument` for certificates that cannot be read.
    pub(super) fn new(url: StoreUrl, cluster: &Cluster, is_tls: bool) -> Result<Self, Error> {
        let members = Members::new(&url, cluster, is_tls)?;
        Ok(Gateway { members, login: cluster.login.clone(), token: Mutex::new(None), url })
    }

    /// Sends a request. Returns the response, and the responding member's time, Unix µs.
    ///
    /// # Errors
    /// `StoreUnavailable`, which is permanent if etcd rejects the login, or the user lacks the
    /// right.
    pub(super) async fn ask(&self, path: &str, body: &Value) -> Result<Answer, Error> {
        let body = body.to_string();
        let answer = match self.ask_as(path, &body, None).await {
            Err((Failure::Token(_), old)) => self.ask_as(path, &body, old).await,
            answer => answer,
        };
        answer.map_err(|(failure, _)| match failure {
            Failure::Denied(why) => refused(&self.url, &why),
            failure => unavailable(&self.url, &failure.why()),
        })
    }

    /// Sends a request, with a token if there is a login. The token differs from `old`, which was
    /// rejected.
    async fn ask_as(
        &self,
        path: &str,
        body: &str,
        old: Option<HeaderValue>,
    ) -> Result<Answer, (Failure, Option<HeaderValue>)> {
        let token = match &self.login {
            None => None,
            Some(login) => Some(self.token(login, old).await.map_err(|failure| (failure, None))?),
        };
        self.ask_members(path, body, token.as_ref()).await.map_err(|failure| (failure, token))
    }

    async fn token(
        &self,
        (user, password): &(String, String),
        old: Option<HeaderValue>,
    ) -> Result<HeaderValue, Failure> {
        // One caller requests the token; the others wait here.
        let mut token = self.token.lock().await;
        if let Some(token) = token.as_ref().filter(|token| Some(*token) != old.as_ref()) {
            return Ok(token.clone());
        }
        let ask = json!({ "name": user, "password": password }).to_string();
        let (answer, _) = self.ask_members("/v3/auth/authenticate", &ask, None).await?;
        let new = answer["token"].as_str().and_then(|token| HeaderValue::from_str(token).ok());
        let mut new = new.ok_or_else(|| Failure::Refused("it gave no token for the user and password".into()))?;
        new.set_sensitive(true);
        *token = Some(new.clone());
        Ok(new)
    }

    async fn ask_members(&self, path: &str, body: &str, token: Option<&HeaderValue>) -> Result<Answer, Failure> {
        let asked = self.members.in_turn(|member| self.ask_member(format!("{member}{path}"), body, token)).await;
        asked.unwrap_or_else(|whys| Err(Failure::Members(whys.to_string())))
    }

    /// Sends a request to this member.
    ///
    /// # Errors
    /// The reason why this member cannot process the request. The next member is asked.
    async fn ask_member(
        &self,
        url: String,
        body: &str,
        token: Option<&HeaderValue>,
    ) -> Result<Result<Answer, Failure>, String> {
        let mut request =
            self.members.client().post(url).header(CONTENT_TYPE, "application/json").body(body.to_owned());
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, token);
        }
        // A retry is safe: a write is conditional on the revisions that were read.
        let response = members::send(request).await?;
        let (status, now_us) = (response.status(), date(response.headers()));
        let bytes = response.bytes().await.map_err(members::failed)?;
        let answer: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        if status == StatusCode::OK && answer.is_object() {
            return match now_us {
                Some(now_us) => Ok(Ok((answer, now_us))),
                None => Err("its answer has no Date, which is the time of leases".into()),
            };
        }
        let reason = answer["error"].as_str().or(answer["message"].as_str()).unwrap_or("it does not seem to be etcd");
        let why = format!("{reason} (HTTP {})", status.as_u16());
        let is_stale = reason.contains("invalid auth token") || reason.contains("revision of auth store is old");
        Ok(Err(match status {
            _ if is_stale || number(&answer["code"]) == Some(UNAUTHENTICATED) => Failure::Token(why),
            status if status.is_server_error() => return Err(why),
            _ if matches!(number(&answer["code"]), Some(INVALID_ARGUMENT | PERMISSION_DENIED)) => Failure::Denied(why),
            _ => Failure::Refused(why),
        }))
    }
}

/// Returns the time of the `Date` header, Unix µs.
fn date(headers: &HeaderMap) -> Option<i64> {
    let time: SystemTime = httpdate::parse_http_date(headers.get(DATE)?.to_str().ok()?).ok()?;
    i64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_micros()).ok()
}

/// Parses a number. etcd writes 64-bit numbers as strings.
pub(super) fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}
