//! etcd's JSON over HTTP: which member is asked, who asks, and what time it is there.

use super::super::endpoints::Cluster;
use super::super::members::{self, Members};
use super::super::{StoreUrl, refused, unavailable};
use crate::Error;
use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, DATE, HeaderMap, HeaderValue};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::Mutex;

/// What gRPC calls a wrong password, or none; and what a user has no right to.
const INVALID_ARGUMENT: i64 = 3;
const PERMISSION_DENIED: i64 = 7;

/// What gRPC calls it when a token is not, or no longer, known.
const UNAUTHENTICATED: i64 = 16;

/// The members of a cluster.
pub(super) struct Gateway {
    url: StoreUrl,
    members: Members,
    login: Option<(String, String)>,
    /// What stands for the login until the members forget it.
    token: Mutex<Option<HeaderValue>>,
}

/// Why there is no answer.
enum Failure {
    /// No member can be asked now.
    Members(String),
    /// The members do not know the token.
    Token(String),
    /// They know the request, and refuse it.
    Refused(String),
    /// They refuse it to this user, or the login.
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
    /// Opens no connection.
    ///
    /// # Errors
    /// `InvalidArgument` for certificates that cannot be read.
    pub(super) fn new(url: StoreUrl, cluster: &Cluster, is_tls: bool) -> Result<Self, Error> {
        let members = Members::new(&url, cluster, is_tls)?;
        Ok(Gateway { members, login: cluster.login.clone(), token: Mutex::new(None), url })
    }

    /// The answer of a member, and its time, Unix µs.
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

    /// Asks with a token, if there is a login: another than this old one.
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
        // All who need one wait for the one who asks.
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

    /// What this member says; why it cannot be asked, where another may answer.
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
        // Nothing is done twice: what is written asks for what was read.
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
        let told = answer["error"].as_str().or(answer["message"].as_str()).unwrap_or("it seems to be no etcd");
        let why = format!("{told} (HTTP {})", status.as_u16());
        let is_stale = told.contains("invalid auth token") || told.contains("revision of auth store is old");
        Ok(Err(match status {
            _ if is_stale || number(&answer["code"]) == Some(UNAUTHENTICATED) => Failure::Token(why),
            status if status.is_server_error() => return Err(why),
            _ if matches!(number(&answer["code"]), Some(INVALID_ARGUMENT | PERMISSION_DENIED)) => Failure::Denied(why),
            _ => Failure::Refused(why),
        }))
    }
}

/// The time in an answer's head, Unix µs.
fn date(headers: &HeaderMap) -> Option<i64> {
    let time: SystemTime = httpdate::parse_http_date(headers.get(DATE)?.to_str().ok()?).ok()?;
    i64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_micros()).ok()
}

/// A number, which etcd writes as text where it may have more than 53 bits.
pub(super) fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}
