//! etcd's JSON over HTTP: which member is asked, who asks, and what time it is there.

use super::super::endpoints::Cluster;
use super::super::{CALL_LIMIT, CONNECT_LIMIT, StoreUrl, choose_tls, refused, unavailable};
use crate::Error;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, DATE, HeaderMap, HeaderValue};
use reqwest::{Certificate, Client, Identity, Response, StatusCode, redirect};
use saiban::ErrorKind;
use serde_json::{Value, json};
use std::error::Error as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::{Mutex, Semaphore};

/// How many connections there are at most.
const MOST_CONNECTIONS: usize = 8;

/// How long one of several members may take before the next is asked.
const MEMBER_LIMIT: Duration = Duration::from_secs(3);

/// What gRPC calls a wrong password, or none; and what a user has no right to.
const INVALID_ARGUMENT: i64 = 3;
const PERMISSION_DENIED: i64 = 7;

/// What gRPC calls it when a token is not, or no longer, known.
const UNAUTHENTICATED: i64 = 16;

/// The members of a cluster.
pub(super) struct Gateway {
    url: StoreUrl,
    client: Client,
    members: Vec<String>,
    /// The member that answered last.
    current: AtomicUsize,
    login: Option<(String, String)>,
    /// What stands for the login until the members forget it.
    token: Mutex<Option<HeaderValue>>,
    connections: Semaphore,
}

/// Why there is no answer.
enum Failure {
    /// This member cannot be asked now; another may answer.
    Member(String),
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
            Failure::Member(why) | Failure::Token(why) | Failure::Refused(why) | Failure::Denied(why) => why,
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
        choose_tls();
        let invalid =
            |what: String| Error::new(ErrorKind::InvalidArgument, format!("{url}: {what}: give files in the form PEM"));
        let unread = |what: &str, error: reqwest::Error| invalid(format!("{what} ({})", chain(&error)));
        let mut client = Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_LIMIT)
            .timeout(if cluster.endpoints.len() > 1 { MEMBER_LIMIT } else { CALL_LIMIT })
            .pool_max_idle_per_host(MOST_CONNECTIONS);
        if !is_tls {
            // Else the system's certificates are read, for nothing.
            client = client.tls_certs_only([]);
        } else if let Some(ca) = cluster.ca() {
            let certificates = Certificate::from_pem_bundle(ca).map_err(|error| unread("ca cannot be read", error))?;
            if certificates.is_empty() {
                return Err(invalid("ca has no certificate".into()));
            }
            client = client.tls_certs_only(certificates);
        }
        if let Some((cert, key)) = cluster.identity() {
            let both = [cert, b"\n", key].concat();
            let identity = Identity::from_pem(&both).map_err(|error| unread("cert and key are no pair", error))?;
            client = client.identity(identity);
        }
        let client = client.build().map_err(|error| unread("its client cannot be made", error))?;
        let scheme = if is_tls { "https" } else { "http" };
        let members = cluster.endpoints.iter().map(|(host, port)| format!("{scheme}://{host}:{port}")).collect();
        Ok(Gateway {
            client,
            members,
            current: AtomicUsize::new(0),
            login: cluster.login.clone(),
            token: Mutex::new(None),
            connections: Semaphore::new(MOST_CONNECTIONS),
            url,
        })
    }

    /// The answer of a member, and its time, Unix µs.
    pub(super) async fn ask(&self, path: &str, body: &Value) -> Result<Answer, Error> {
        // Never closed.
        let _connection = self.connections.acquire().await;
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

    /// Asks the member that answered last, then the others.
    async fn ask_members(&self, path: &str, body: &str, token: Option<&HeaderValue>) -> Result<Answer, Failure> {
        let first = self.current.load(Ordering::Relaxed);
        let mut whys = Vec::new();
        for turn in 0..self.members.len() {
            let index = (first + turn) % self.members.len();
            let member = &self.members[index];
            match self.ask_member(&format!("{member}{path}"), body, token).await {
                Err(Failure::Member(why)) => whys.push(format!("{member}: {why}")),
                answer => {
                    self.current.store(index, Ordering::Relaxed);
                    return answer;
                }
            }
        }
        Err(Failure::Member(whys.join("; ")))
    }

    async fn send(&self, url: &str, body: &str, token: Option<&HeaderValue>) -> Result<Response, reqwest::Error> {
        let mut request = self.client.post(url).header(CONTENT_TYPE, "application/json").body(body.to_owned());
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, token);
        }
        request.send().await
    }

    async fn ask_member(&self, url: &str, body: &str, token: Option<&HeaderValue>) -> Result<Answer, Failure> {
        let failed = |error: reqwest::Error| Failure::Member(chain(&error.without_url()));
        let response = match self.send(url, body, token).await {
            // What was idle may have been closed meanwhile. Nothing is done twice: what is written asks for what was read.
            Err(error) if !error.is_connect() && !error.is_timeout() => self.send(url, body, token).await,
            sent => sent,
        };
        let response = response.map_err(failed)?;
        let (status, now_us) = (response.status(), date(response.headers()));
        let bytes = response.bytes().await.map_err(failed)?;
        let answer: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        if status == StatusCode::OK && answer.is_object() {
            return match now_us {
                Some(now_us) => Ok((answer, now_us)),
                None => Err(Failure::Member("its answer has no Date, which is the time of leases".into())),
            };
        }
        let told = answer["error"].as_str().or(answer["message"].as_str()).unwrap_or("it seems to be no etcd");
        let why = format!("{told} (HTTP {})", status.as_u16());
        let is_stale = told.contains("invalid auth token") || told.contains("revision of auth store is old");
        Err(match status {
            _ if is_stale || number(&answer["code"]) == Some(UNAUTHENTICATED) => Failure::Token(why),
            status if status.is_server_error() => Failure::Member(why),
            _ if matches!(number(&answer["code"]), Some(INVALID_ARGUMENT | PERMISSION_DENIED)) => Failure::Denied(why),
            _ => Failure::Refused(why),
        })
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

/// An error with its causes, which the client leaves out.
fn chain(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
