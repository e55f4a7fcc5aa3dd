//! The entry point of every request: checks its target and access, takes a place, and dispatches it
//! to HTTP or gRPC.

use super::held::Held;
use super::pace::{Pace, Turn};
use crate::auth::{Access, Auth, Reason, Scope};
use crate::caller::Caller;
use crate::grpc::{self, Answerer, answerer};
use crate::http::{OPEN_PATHS, problem_response, router};
use crate::in_flight::InFlight;
use crate::metrics::{Operation, Protocol};
use crate::places::Quota;
use crate::problem::{Code, Problem};
use crate::service::Service;
use axum::Router;
use axum::body::Body;
use http::header::{CONTENT_TYPE, HOST, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Version};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use std::convert::Infallible;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tower::ServiceExt;

/// How many bytes of a refused request are read, and for how long.
const READ_ON_BYTES: usize = 64 << 10;
const READ_ON: Duration = Duration::from_secs(1);

/// The handler of all requests of a connection.
#[derive(Clone)]
pub(crate) struct Front {
    service: Arc<Service>,
    http: Router,
    grpc: Answerer,
    /// The activity of the connection.
    pace: Arc<Pace>,
    peer: SocketAddr,
    /// The authorities that verified the client certificate, as in `Tls::client_ca`.
    client_ca: Option<[u8; 32]>,
}

impl Front {
    pub(crate) fn of(service: &Arc<Service>) -> Self {
        let peer = SocketAddr::from(([0; 4], 0));
        Front {
            service: Arc::clone(service),
            http: router(service),
            grpc: answerer(service),
            pace: Arc::default(),
            peer,
            client_ca: None,
        }
    }

    /// Returns a copy for one connection.
    pub(super) fn of_connection(&self, peer: SocketAddr, client_ca: Option<[u8; 32]>, pace: Arc<Pace>) -> Self {
        Front { pace, peer, client_ca, ..self.clone() }
    }

    /// Responds to a request. The response holds its place and its `Turn` until it is sent.
    async fn held(self, request: Request<Incoming>, turn: Turn) -> Response<Body> {
        let is_http2 = request.version() == Version::HTTP_2;
        let (response, place) = self.answer(request).await;
        response.map(|body| Body::new(Held::new(body, is_http2, place, turn)))
    }

    async fn answer(self, request: Request<Incoming>) -> (Response<Body>, Option<InFlight>) {
        let began = Instant::now();
        let mut request = request.map(Body::new);
        let kind = request.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        let protocol = match kind {
            // Other forms, such as grpc-web, count as HTTP. Their clients would not understand the
            // response.
            Some(kind) if is_grpc(kind) => Protocol::Grpc,
            _ => Protocol::Http,
        };
        let refused = |problem: Problem| {
            self.service.answered(Operation::Other, protocol, Some(&problem), began);
            (refusal(protocol, problem), None)
        };
        let (caller, admitted) = {
            let settings = self.service.settings();
            let caller = Caller::of(self.peer, request.headers(), &settings.config.trusted_proxies);
            let admitted = check_target(&request).and_then(|()| self.admit(&mut request, &settings.auth, &caller));
            (caller, admitted)
        };
        if let Err(problem) = admitted {
            read_on(request).await;
            return refused(problem);
        }
        let uri = request.uri().clone();
        // The place is held until the response is sent, or the stream ends.
        let place = match quota(&request).map(|quota| self.service.begin(quota)).transpose() {
            Ok(place) => place,
            Err(problem) => {
                read_on(request).await;
                return refused(problem);
            }
        };
        let answer = async {
            match protocol {
                Protocol::Http => self.http.clone().oneshot(request).await,
                Protocol::Grpc => self.grpc.answer(request).await,
            }
        };
        let limit = self.service.limits().request_timeout();
        match tokio::time::timeout(limit, answer).await {
            Ok(Ok(response)) => match unread(&response) {
                Some(problem) => refused(problem),
                None => {
                    if is_denied(&response) {
                        self.service.denied(Reason::Scope, &caller, uri.path());
                    }
                    (response, place)
                }
            },
            Ok(Err(never)) => match never {},
            Err(_) => {
                let limit_s = limit.as_secs();
                let what = format!(
                    "it was not answered within {limit_s} s (limits.request_timeout_s): try again, or another instance"
                );
                refused(Problem::new(Code::Late, what))
            }
        }
    }

    /// Determines the access of the caller, and stores it in the request. Health checks need no
    /// token.
    fn admit(&self, request: &mut Request<Body>, auth: &Auth, caller: &Caller) -> Result<(), Problem> {
        let is_ours = check_origin(request).and_then(|()| if auth.is_open() { check_host(request) } else { Ok(()) });
        let access = match is_ours.and_then(|()| auth.access(request.headers(), self.client_ca)) {
            Ok(access) => access,
            Err((reason, _)) if reason.is_of_token() && is_open(request) => return Ok(()),
            Err((reason, problem)) => {
                self.service.denied(reason, caller, request.uri().path());
                return Err(problem);
            }
        };
        request.extensions_mut().insert(access);
        Ok(())
    }
}

/// Reads the rest of a refused request, within limits of size and time.
///
/// If the service responds to an HTTP/2 stream before the request ends, the stream is reset. It
/// counts towards the streams of the connection until the reset is sent. After many of these, the
/// HTTP/2 library would refuse further streams by itself, without a reason.
async fn read_on(request: Request<Body>) {
    if request.version() != Version::HTTP_2 {
        return;
    }
    let mut body = Limited::new(request.into_body(), READ_ON_BYTES);
    let rest = async { while let Some(Ok(_)) = body.frame().await {} };
    // A slower request is refused without reading the rest.
    let _ = tokio::time::timeout(READ_ON, rest).await;
}

fn is_grpc(kind: &[u8]) -> bool {
    let kind = kind.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    matches!(kind, b"application/grpc" | b"application/grpc+proto")
}

/// Returns whether the request needs no token. Without one, it reveals only whether the service
/// runs and is ready.
fn is_open(request: &Request<Body>) -> bool {
    let path = request.uri().path();
    OPEN_PATHS.contains(&path) || path == grpc::HEALTH
}

/// Returns the kind of place that a request takes. `None` means that it takes none, because it is
/// answered at once.
fn quota(request: &Request<Body>) -> Option<Quota> {
    let path = request.uri().path();
    if path == grpc::HEALTH {
        return Some(Quota::Health);
    }
    if OPEN_PATHS.contains(&path) {
        return None;
    }
    if path == grpc::STREAM {
        return Some(Quota::Stream);
    }
    if grpc::is_watch(path) {
        return Some(Quota::Watch);
    }
    let scope = match path {
        "/" | "/metrics" => Scope::Admin,
        _ if path.starts_with("/v1/leases/") || path.starts_with(grpc::LEASES) => Scope::Lease,
        _ => return Some(Quota::Any),
    };
    // A caller without the scope is refused, and must not take a reserved place.
    let may = request.extensions().get::<Arc<Access>>().is_some_and(|access| access.has(scope));
    Some(if may { Quota::Kept } else { Quota::Any })
}

/// Converts an error that the gRPC library produced itself to a [`Problem`].
///
/// Such errors are calls of unknown methods, and messages that cannot be decoded. The library
/// reports the latter as internal errors.
fn unread(response: &Response<Body>) -> Option<Problem> {
    let headers = response.headers();
    if !headers.contains_key("grpc-status") || headers.contains_key("saiban-error") {
        return None;
    }
    let status = tonic::Status::from_header_map(headers)?;
    let message = status.message();
    match status.code() {
        tonic::Code::Unimplemented if message.is_empty() => {
            Some(Problem::new(Code::NotFound, "there is no such method: see the server's reflection"))
        }
        tonic::Code::OutOfRange => {
            Some(Problem::new(Code::TooLarge, format!("the message is larger than limits.max_body_bytes ({message})")))
        }
        tonic::Code::Internal | tonic::Code::Unknown => {
            Some(Problem::input(format!("the message cannot be read: {message}")))
        }
        _ => None,
    }
}

/// Returns whether the response denies access.
fn is_denied(response: &Response<Body>) -> bool {
    let is_refused = response.headers().get("saiban-error").is_some_and(|code| code == Code::PermissionDenied.name());
    response.status() == StatusCode::FORBIDDEN || is_refused
}

/// Refuses a request that does not name exactly one host.
///
/// An HTTP/1.1 request has exactly one valid `Host` header (RFC 9112, section 3.2). An HTTP/2
/// request has `:authority`, and a `Host` header only for an equal host (RFC 9113, section 8.3.1).
fn check_target(request: &Request<Body>) -> Result<(), Problem> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let host = hosts.next();
    if hosts.next().is_some() {
        return Err(Problem::input("the request has more than one Host header: send one"));
    }
    let authority = request.uri().authority();
    let is_http2 = request.version() == Version::HTTP_2;
    match (host, authority) {
        (None, _) if request.version() == Version::HTTP_11 => {
            return Err(Problem::input("the request has no Host header, which HTTP/1.1 needs: send one"));
        }
        (None, None) if is_http2 => {
            return Err(Problem::input("the request has neither :authority nor a Host header: send :authority"));
        }
        _ => {}
    }
    let has_user = |authority: &Authority| authority.as_str().contains('@');
    let read = |host: &HeaderValue| host.to_str().ok()?.parse::<Authority>().ok().filter(|host| !has_user(host));
    let host =
        host.map(|host| read(host).ok_or_else(|| Problem::input("the Host header is invalid: send HOST or HOST:PORT")));
    let host = host.transpose()?;
    // In HTTP/1.1, an authority in the target overrides the `Host` header (RFC 9112, section
    // 3.2.2).
    let Some(authority) = authority else { return Ok(()) };
    if has_user(authority) {
        let place = if is_http2 { ":authority" } else { "the request's target, like a Host header," };
        return Err(Problem::input(format!("{place} names a user: send HOST or HOST:PORT")));
    }
    if !is_http2 {
        return Ok(());
    }
    let usual_port = if request.uri().scheme_str() == Some("https") { 443 } else { 80 };
    let place = |of: &Authority| (of.host().to_ascii_lowercase(), of.port_u16().unwrap_or(usual_port));
    if host.is_some_and(|host| place(&host) != place(authority)) {
        return Err(Problem::input("the Host header names another host than :authority: send one of the two"));
    }
    Ok(())
}

/// Refuses requests that a web page of another site makes a browser send. The browser would add the
/// password that its user entered for the status page.
fn check_origin(request: &Request<Body>) -> Result<(), (Reason, Problem)> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
    let headers = request.headers();
    let is_cross = headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site" || site == "same-site");
    let origin = headers.get(ORIGIN).and_then(|origin| origin.to_str().ok());
    let origin_host = origin.map(|origin| origin.split_once("://").map_or(origin, |(_, host)| host));
    let host = request.uri().authority().map(http::uri::Authority::as_str);
    let host = host.or_else(|| headers.get(HOST).and_then(|host| host.to_str().ok()));
    if is_cross || origin_host.is_some_and(|origin| Some(origin) != host) {
        let what = "the request comes from a web page of another site: only programs and the service's own pages may \
                    send requests";
        return Err((Reason::Origin, Problem::new(Code::PermissionDenied, what)));
    }
    Ok(())
}

/// Headers that proxies add to forwarded requests.
const PASSED_ON: [&str; 6] =
    ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/// Refuses requests that do not come from a program on this machine. It is called only if every
/// caller may do everything.
///
/// A web page could reach the service under another name for the loopback address (DNS rebinding).
/// A proxy on this machine could forward requests of others.
fn check_host(request: &Request<Body>) -> Result<(), (Reason, Problem)> {
    if let Some(name) = PASSED_ON.iter().find(|name| request.headers().contains_key(**name)) {
        let what = format!(
            "without tokens only programs of this machine may send requests, and a proxy forwarded this one (header \
             {name}): configure tokens"
        );
        return Err((Reason::Proxy, Problem::new(Code::PermissionDenied, what)));
    }
    let host = request.uri().host().or_else(|| host_of(request.headers()));
    if host.is_some_and(|host| !is_here(host)) {
        let what = "without tokens only programs of this machine may send requests, to 127.0.0.1 or localhost: use \
                    that name, or configure tokens";
        return Err((Reason::Host, Problem::new(Code::PermissionDenied, what)));
    }
    Ok(())
}

fn host_of(headers: &HeaderMap) -> Option<&str> {
    let host = headers.get(HOST)?.to_str().ok()?;
    match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => Some(host),
        _ => Some(host),
    }
}

fn is_here(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || address.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Returns an error response in the protocol of the request.
fn refusal(protocol: Protocol, problem: Problem) -> Response<Body> {
    match protocol {
        Protocol::Http => problem_response(&problem),
        Protocol::Grpc => tonic::Status::from(problem).into_http(),
    }
}

impl hyper::service::Service<Request<Incoming>> for Front {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let front = self.clone();
        let turn = Turn::of(&self.pace);
        Box::pin(async move { Ok(front.held(request, turn).await) })
    }
}
