//! The origin of a request: the peer of its connection, and the client behind trusted proxies.
//!
//! `server` determines it for each request; logs of denied requests contain it.

use http::{HeaderMap, HeaderValue};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};

/// The client of a request, for logs. Addresses are never labels of metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The address of the other end of the connection.
    pub(crate) peer: SocketAddr,
    /// The client for which a trusted proxy forwarded the request, if the headers name one.
    pub(crate) forwarded: Option<IpAddr>,
}

impl Caller {
    /// Determines the client of a request from its headers, if the peer is a trusted proxy.
    ///
    /// The client is the right-most address that is not a trusted proxy. It is read from
    /// `X-Forwarded-For`, or from `Forwarded` (RFC 7239) if that is missing. The client may have
    /// forged all addresses to the left of its own.
    pub(crate) fn of(peer: SocketAddr, headers: &HeaderMap, trusted: &[IpNet]) -> Self {
        let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
        let forwarded = is_trusted(peer.ip().to_canonical()).then(|| {
            let mut client = None;
            for hop in hops(headers).into_iter().rev() {
                // The addresses to the left of an unknown hop cannot be trusted.
                let Some(address) = hop else { break };
                client = Some(address);
                if !is_trusted(address) {
                    break;
                }
            }
            client
        });
        Caller { peer, forwarded: forwarded.flatten() }
    }
}

/// Returns the addresses that the proxies added, in order.
///
/// `None` is an unknown hop. RFC 7239 allows proxies to hide a hop, and text that cannot be parsed
/// may hide one.
fn hops(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let read = |name, hops_of: fn(&str) -> Vec<Option<IpAddr>>| -> Vec<_> {
        let lines = headers.get_all(name).iter().map(HeaderValue::to_str);
        lines.flat_map(|line| line.map_or_else(|_| vec![None], hops_of)).collect()
    };
    let hops = read("x-forwarded-for", |line| line.split(',').map(address).collect());
    if hops.is_empty() {
        return read("forwarded", |line| match line.matches('"').count() % 2 {
            0 => unquoted_split(line, ',').into_iter().map(forwarded_for).collect(),
            // Otherwise a client could leave a quote open, which would swallow what the next proxy
            // adds.
            _ => vec![None],
        });
    }
    hops
}

/// Parses the address of one element of `Forwarded`: `for="[2001:db8::1]:4711";proto=https`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let pairs = unquoted_split(element, ';').into_iter().filter_map(|pair| pair.split_once('='));
    let mut nodes = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
    nodes.next().and_then(|(_, node)| address(node.trim().trim_matches('"')))
}

/// Parses an address, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(with_port).map(|address: IpAddr| address.to_canonical())
}

/// Splits the text at separators that are not within quotes.
fn unquoted_split(text: &str, separator: char) -> Vec<&str> {
    let mut is_quoted = false;
    text.split(|character| {
        is_quoted ^= character == '"';
        character == separator && !is_quoted
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, headers: &[(&str, &[u8])]) -> Option<String> {
        let trusted = ["10.0.0.0/8", "::1/128"].map(|network| network.parse().expect("a network"));
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name: http::HeaderName = name.parse().expect("a name");
            map.append(name, HeaderValue::from_bytes(value).expect("a value"));
        }
        let peer = SocketAddr::new(peer.parse().expect("an address"), 1234);
        let caller = Caller::of(peer, &map, &trusted);
        caller.forwarded.map(|address| address.to_string())
    }

    #[test]
    fn the_client_is_the_right_most_address_that_is_no_trusted_proxy() {
        for (header, value, found) in [
            ("x-forwarded-for", "203.0.113.9", Some("203.0.113.9")),
            ("x-forwarded-for", "6.6.6.6, 203.0.113.9, 10.0.0.2", Some("203.0.113.9")),
            ("x-forwarded-for", "203.0.113.9:4711", Some("203.0.113.9")),
            ("x-forwarded-for", "[2001:db8::1]:4711", Some("2001:db8::1")),
            ("x-forwarded-for", "2001:db8::1", Some("2001:db8::1")),
            ("x-forwarded-for", "10.0.0.3, 10.0.0.2", Some("10.0.0.3")),
            ("x-forwarded-for", "6.6.6.6, unknown", None),
            ("x-forwarded-for", "", None),
            ("forwarded", "for=192.0.2.60;proto=http;by=203.0.113.43", Some("192.0.2.60")),
            ("forwarded", "for=6.6.6.6, For=\"[2001:db8:cafe::17]:4711\", for=10.1.2.3", Some("2001:db8:cafe::17")),
            ("forwarded", "for=\"_a,b\", for=10.1.2.3", Some("10.1.2.3")),
            ("forwarded", "for=_hidden", None),
            // The client wrote everything before the last comma.
            ("forwarded", "for=6.6.6.6;by=\", for=203.0.113.9", None),
            ("forwarded", "for=6.6.6.6;by=\"\\\"\", for=\"[2001:db8::1]:4711\"", None),
        ] {
            let found_here = client("10.9.9.9", &[(header, value.as_bytes())]);
            assert_eq!(found_here.as_deref(), found, "{header}: {value}");
        }
        let forwarded: (_, &[u8]) = ("x-forwarded-for", b"203.0.113.9");
        let found = Some("203.0.113.9".to_owned());
        assert_eq!(client("::ffff:10.9.9.9", &[forwarded]), found);
        assert_eq!(client("10.9.9.9", &[("forwarded", b"for=6.6.6.6"), forwarded]), found);
        // A line that is not valid text is an unknown hop.
        for name in ["forwarded", "x-forwarded-for"] {
            let (known, unread) = ((name, &b"6.6.6.6"[..]), (name, &b"203.0.113.9\xff"[..]));
            assert_eq!(client("10.9.9.9", &[known, unread]), None, "{name}");
        }
        let trusted: (_, &[u8]) = ("x-forwarded-for", b"10.0.0.2");
        let unread: (_, &[u8]) = ("x-forwarded-for", b"203.0.113.9\xff");
        let forged: (_, &[u8]) = ("x-forwarded-for", b"6.6.6.6");
        let found = client("10.9.9.9", &[forged, unread, trusted]);
        assert_eq!(found.as_deref(), Some("10.0.0.2"));
    }

    #[test]
    fn a_peer_that_is_no_trusted_proxy_is_not_believed() {
        assert_eq!(client("192.0.2.1", &[("x-forwarded-for", b"203.0.113.9")]), None);
        assert_eq!(client("192.0.2.1", &[("forwarded", b"for=203.0.113.9")]), None);
    }
}
