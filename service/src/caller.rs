//! Where a request comes from: the peer of its connection, and the client behind a trusted proxy.

use http::{HeaderMap, HeaderValue};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};

/// The client of a request, for logs. Labels of metrics never hold addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The other end of the connection.
    pub(crate) peer: SocketAddr,
    /// The client that a trusted proxy forwarded the request for, as far as that is known.
    pub(crate) forwarded: Option<IpAddr>,
}

impl Caller {
    /// Reads `X-Forwarded-For`, or `Forwarded` (RFC 7239) where there is none, if the peer is a
    /// trusted proxy: the right-most address that is no trusted proxy itself. What is left of that
    /// the client may have written.
    pub(crate) fn of(peer: SocketAddr, headers: &HeaderMap, trusted: &[IpNet]) -> Self {
        let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
        let forwarded = is_trusted(peer.ip().to_canonical()).then(|| {
            let mut client = None;
            for hop in hops(headers).into_iter().rev() {
                // A hop that hides its address, as RFC 7239 allows, hides those before it too.
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

/// The addresses that proxies wrote down, the last one's last; `None` for what is no address.
fn hops(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let texts = |name| headers.get_all(name).iter().map(HeaderValue::to_str).filter_map(Result::ok);
    let hops: Vec<_> = texts("x-forwarded-for").flat_map(|line| line.split(',')).map(address).collect();
    if hops.is_empty() {
        return texts("forwarded").flat_map(|line| unquoted_split(line, ',')).map(forwarded_for).collect();
    }
    hops
}

/// The address of an element of `Forwarded`: `for="[2001:db8::1]:4711";proto=https`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let pairs = unquoted_split(element, ';').into_iter().filter_map(|pair| pair.split_once('='));
    let mut nodes = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
    nodes.next().and_then(|(_, node)| address(node.trim().trim_matches('"')))
}

/// An address, with its port or without.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(with_port).map(|address: IpAddr| address.to_canonical())
}

/// The parts between separators that stand outside of quotes.
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

    fn client(peer: &str, headers: &[(&'static str, &'static str)]) -> Option<String> {
        let trusted = ["10.0.0.0/8", "::1/128"].map(|network| network.parse().expect("a network"));
        let headers =
            headers.iter().map(|(name, value)| (name.parse().expect("a name"), HeaderValue::from_static(value)));
        let caller = Caller::of(SocketAddr::new(peer.parse().expect("an address"), 1234), &headers.collect(), &trusted);
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
        ] {
            assert_eq!(client("10.9.9.9", &[(header, value)]).as_deref(), found, "{header}: {value}");
        }
        assert_eq!(client("::ffff:10.9.9.9", &[("x-forwarded-for", "203.0.113.9")]).as_deref(), Some("203.0.113.9"));
        let both = [("forwarded", "for=6.6.6.6"), ("x-forwarded-for", "203.0.113.9")];
        assert_eq!(client("10.9.9.9", &both).as_deref(), Some("203.0.113.9"));
    }

    #[test]
    fn a_peer_that_is_no_trusted_proxy_is_not_believed() {
        assert_eq!(client("192.0.2.1", &[("x-forwarded-for", "203.0.113.9")]), None);
        assert_eq!(client("192.0.2.1", &[("forwarded", "for=203.0.113.9")]), None);
    }
}
