//! Leases in Redis. A Lua script decides in the server, atomically.
//!
//! The script (in the folder `redis`) follows the rules of [`crate::lease::protocol`]. What it
//! refuses becomes one of that module's errors here. All keys of a namespace have its name as a
//! hash tag (in braces), so that a cluster keeps them on one server. No key has a time to live.
//!
//! **Durability.** Redis replies before it has written to the disk or to a replica, so a crash or a
//! failover may lose the last grants. The script detects when another server process runs it than
//! the one that wrote last (`server.lua`). It then grants no new lease until every lease that may
//! have been lost has ended. Other losses are detected by holders, which send the newest lease that
//! they know. This is best effort: prefer a store with durable commits if there is one.
//!
//! The server must not evict keys (`maxmemory-policy allkeys-…`). If it evicts one, calls fail with
//! the error for corrupt records or for an unknown namespace.
//!
//! **Cost.** A call takes one round trip and a few look-ups in an index of the slots. Together they
//! took 0.2 ms on a small machine, with 1000 slots as well as with 65,536. Two operations read all
//! slots, and block Redis for other clients as long:
//!
//! - joining neighbours, if no slot is wide enough for a lease: 0.7 ms for 1000 slots, 0.1 s for
//!   65,536;
//! - `list`: 8 ms and 0.6 s, including the transfer.

use super::calls::{choose_tls, in_time};
use super::errors::{corrupt, newer, refused, unavailable, unknown};
use super::{Listing, Numbers, Store, StoreUrl, draw};
use crate::Error;
use crate::lease::protocol::{self, Acquire, Grant, LastSeen, Release, Renew, View};
use crate::lease::refusal;
use crate::lease::{Namespace, SlotKey, Terms};
use async_trait::async_trait;
use redis::{Client, RedisError, RedisResult, Script, ScriptInvocation, Value};
use saiban::ErrorKind;

mod answer;
mod connections;
mod counters;
#[cfg(test)]
mod tests;

use answer::Answer;
use connections::Connections;

/// The version of the records. The script has it too.
const VERSION: i64 = 1;

const SCRIPT: &str = concat!(
    include_str!("redis/numbers.lua"),
    include_str!("redis/server.lua"),
    include_str!("redis/slots.lua"),
    include_str!("redis/find.lua"),
    include_str!("redis/requests.lua"),
);

/// Leases and counters in Redis.
pub(super) struct RedisStore {
    url: StoreUrl,
    connections: Connections,
    script: Script,
    /// The time that tests pass to the script instead of the server's; 0 for the server's.
    #[cfg(test)]
    now_us: std::sync::Arc<std::sync::atomic::AtomicI64>,
}

impl RedisStore {
    /// Makes a store for this URL. Connects at the first request.
    ///
    /// # Errors
    /// `InvalidArgument` for a URL that names no Redis server.
    pub(super) fn new(url: &StoreUrl) -> Result<Self, Error> {
        choose_tls();
        let client = Client::open(url.secret().as_str()).map_err(|error| {
            let what = error.detail().map_or_else(|| error.to_string(), str::to_owned);
            Error::new(
                ErrorKind::InvalidArgument,
                format!(
                    "{url} names no Redis server ({what}): give redis://[user:password@]host[:port][/database], or rediss:// for \
                     TLS"
                ),
            )
        })?;
        Ok(RedisStore {
            url: url.clone(),
            connections: Connections::new(client),
            script: Script::new(SCRIPT),
            #[cfg(test)]
            now_us: std::sync::Arc::default(),
        })
    }

    /// Runs the script for a request, and parses its answer.
    async fn ask(&self, name: &str, request: &str, arguments: &[String]) -> Result<Answer, Error> {
        let mut call = self.script.prepare_invoke();
        for key in ["namespace", "slots", "index"] {
            call.key(key_of(name, key));
        }
        call.arg(self.time()).arg(request).arg(arguments);
        let answer = Answer::of(self.call(name, &call).await?)
            .map_err(|what| corrupt(&self.url, "the script's answer", &what))?;
        self.refusal(name, answer)
    }

    async fn call(&self, name: &str, call: &ScriptInvocation<'_>) -> Result<Value, Error> {
        let asked = async { self.try_call(name, call).await.map_err(|error| self.error_of(&error)) };
        let outcome = in_time(&self.url, asked).await;
        if outcome.is_err() {
            self.connections.forget(name);
        }
        outcome
    }

    async fn try_call(&self, name: &str, call: &ScriptInvocation<'_>) -> RedisResult<Value> {
        // The maximum number of redirections while the servers of a cluster agree on the owner of
        // the keys.
        let (mut redirections, mut is_again) = (3, false);
        loop {
            let (mut connection, is_new) = self.connections.of(name).await?;
            match call.invoke_async(&mut connection).await {
                // The connection was idle: the server was restarted, or a proxy closed the
                // connection. Retry once.
                Err(error) if !is_new && !is_again && error.is_connection_dropped() => {
                    is_again = true;
                    self.connections.forget(name);
                }
                Err(error) if redirections > 0 && self.connections.follow(name, &error) => redirections -= 1,
                answer => return answer,
            }
        }
    }

    /// Converts answers about unknown or invalid records into errors.
    fn refusal(&self, name: &str, answer: Answer) -> Result<Answer, Error> {
        match (answer.what.as_str(), answer.rest.as_slice()) {
            ("unknown", _) => Err(unknown(name)),
            ("corrupt", [key, what]) => Err(corrupt(&self.url, &format!("the key {key}"), what)),
            ("version", [key, version]) => match version.parse::<i64>() {
                Ok(number) if number > VERSION => Err(newer(&self.url, &format!("the key {key}"), version, VERSION)),
                _ => Err(corrupt(&self.url, &format!("the key {key}"), &format!("its version is {version:?}"))),
            },
            _ => Ok(answer),
        }
    }

    fn error_of(&self, error: &RedisError) -> Error {
        let mut why = error.to_string();
        // The server may repeat a command that it could not parse, password included.
        if let Some(password) = self.connections.password() {
            why = why.replace(password, "***");
        }
        // A replica's refusal to write is part of the script's error message.
        let is_denied = error.kind() == redis::ErrorKind::AuthenticationFailed
            || matches!(error.code(), Some("WRONGPASS" | "NOAUTH" | "NOPERM"))
            || why.contains("READONLY ");
        if is_denied { refused(&self.url, &why) } else { unavailable(&self.url, &why) }
    }

    #[cfg(not(test))]
    fn time(&self) -> String {
        String::new()
    }

    #[cfg(test)]
    fn time(&self) -> String {
        match self.now_us.load(std::sync::atomic::Ordering::Relaxed) {
            0 => String::new(),
            now_us => number(now_us),
        }
    }

    /// Rejects nodes or a ttl out of range. An unknown namespace takes precedence.
    async fn check_request(&self, name: &str, nodes: i64, ttl_us: i64) -> Result<(), Error> {
        let Err(error) = protocol::check_request(nodes, ttl_us) else { return Ok(()) };
        self.ask(name, "look", &[]).await?;
        Err(error)
    }

    fn namespace(&self, answer: &Answer) -> Result<Namespace, Error> {
        answer.namespace.clone().ok_or_else(|| corrupt(&self.url, "the script's answer", "it lacks the namespace"))
    }

    /// Converts the script's answer to a grant, or to the error for its refusal.
    fn grant(&self, name: &str, answer: &Answer, asked: &Asked<'_>) -> Result<Grant, Error> {
        let namespace = self.namespace(answer)?;
        let view = View { name, namespace: &namespace, slots: &[], now_us: answer.now_us };
        let refused = match (answer.what.as_str(), asked) {
            ("ok", _) => {
                return answer
                    .grant(namespace.incarnation)
                    .map_err(|what| corrupt(&self.url, "the script's answer", &what));
            }
            ("mismatch", Asked::Acquire(_, fingerprint)) => namespace.check(name, fingerprint).err(),
            ("ttl", Asked::Acquire(Acquire { ttl_us, .. }, _) | Asked::Renew(Renew { ttl_us, .. })) => {
                refusal::check_ttl(&view, *ttl_us).err()
            }
            ("quarantined", _) => Some(refusal::quarantined(&view, namespace.quarantine_until_us)),
            ("skew", Asked::Acquire(request, _)) => Some(refusal::clock_skew(&view, request)),
            ("full", Asked::Acquire(request, _)) => {
                let cooling_until_us =
                    answer.cooling_until_us().map_err(|what| corrupt(&self.url, "the script's answer", &what))?;
                Some(refusal::full(&view, request.nodes, cooling_until_us))
            }
            ("lost", Asked::Renew(request)) => Some(refusal::lost(&view, &request.seen.key)),
            _ => None,
        };
        Err(refused.unwrap_or_else(|| corrupt(&self.url, "the script's answer", &answer.what)))
    }
}

/// The request that the script answered, for error messages.
enum Asked<'a> {
    Acquire(&'a Acquire, &'a str),
    Renew(&'a Renew),
}

#[async_trait]
impl Store for RedisStore {
    async fn create(&self, terms: &Terms) -> Result<Namespace, Error> {
        let first = protocol::first_node(terms.nodes(), draw()?);
        let numbers = [terms.nodes(), terms.max_ttl_us(), draw()?, first].map(number);
        let arguments: Vec<_> = std::iter::once(terms.fingerprint().to_owned()).chain(numbers).collect();
        let namespace = self.namespace(&self.ask(terms.name(), "create", &arguments).await?)?;
        namespace.check(terms.name(), terms.fingerprint())?;
        Ok(namespace)
    }

    async fn acquire(&self, name: &str, fingerprint: &str, request: &Acquire) -> Result<Grant, Error> {
        self.check_request(name, request.nodes, request.ttl_us).await?;
        // The earliest and the latest time of the store that the check of the clock allows.
        let skew = i128::from(request.max_clock_skew_us.unsigned_abs());
        let clock = i128::from(request.clock_us);
        let within = |time: i128| number(i64::try_from(time).unwrap_or(if time < 0 { -1 } else { i64::MAX }));
        let mut arguments = vec![
            fingerprint.to_owned(),
            number(request.nodes),
            number(request.ttl_us),
            within(clock - skew),
            within(clock + skew),
        ];
        arguments.extend([number(request.token), request.holder.clone()]);
        arguments.extend(request.seen.iter().flat_map(seen));
        let answer = self.ask(name, "acquire", &arguments).await?;
        self.grant(name, &answer, &Asked::Acquire(request, fingerprint))
    }

    async fn renew(&self, name: &str, request: &Renew) -> Result<Grant, Error> {
        self.check_request(name, 1, request.ttl_us).await?;
        let arguments: Vec<_> = std::iter::once(number(request.ttl_us)).chain(seen(&request.seen)).collect();
        let answer = self.ask(name, "renew", &arguments).await?;
        self.grant(name, &answer, &Asked::Renew(request))
    }

    async fn release(&self, name: &str, request: &Release) -> Result<(), Error> {
        let arguments: Vec<_> = std::iter::once(number(request.high_water_us)).chain(key(&request.key)).collect();
        self.ask(name, "release", &arguments).await.map(|_| ())
    }

    async fn list(&self, name: &str) -> Result<Listing, Error> {
        let answer = self.ask(name, "list", &[]).await?;
        let namespace = self.namespace(&answer)?;
        let slots = answer.slots(namespace.nodes);
        let slots = slots.map_err(|what| corrupt(&self.url, &format!("the key {}", key_of(name, "slots")), &what))?;
        Ok(Listing { namespace, slots, now_us: answer.now_us })
    }

    async fn quarantine(&self, name: &str) -> Result<i64, Error> {
        let answer = self.ask(name, "quarantine", &[]).await?;
        Ok(self.namespace(&answer)?.quarantine_until_us)
    }

    fn numbers(&self) -> Option<&dyn Numbers> {
        Some(self)
    }
}

fn key_of(name: &str, what: &str) -> String {
    format!("saiban:{{{name}}}:{what}")
}

/// Writes a number for the script: 19 digits, or `-` for any negative number.
fn number(value: i64) -> String {
    if value < 0 { "-".into() } else { format!("{value:019}") }
}

fn seen(seen: &LastSeen) -> impl Iterator<Item = String> {
    [seen.incarnation, seen.end_us].map(number).into_iter().chain(key(&seen.key))
}

fn key(SlotKey { nodes, fence, token }: &SlotKey) -> [String; 4] {
    [nodes.start, nodes.end, *fence, *token].map(number)
}
