//! Who is at the other end of a connection, as far as an address tells.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use actix_web::HttpRequest;

use crate::hexadecimal::hex;

/// Whom calls, connections and kept times are counted for: one IPv4 address, or one IPv6 network
/// of 64 bits, which is the least a customer of any provider has to themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Origin(IpAddr);

impl Origin {
    /// Of an address.
    pub fn of(address: IpAddr) -> Origin {
        const NETWORK: u128 = !0 << 64;
        Origin(match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & NETWORK)),
            v4 => v4,
        })
    }

    /// Of whoever sent a request; none when the system does not say.
    pub fn of_request(req: &HttpRequest, behind_proxy: bool) -> Option<Origin> {
        client_address(req, behind_proxy).map(Origin::of)
    }

    /// The bytes that are hashed and stored instead of the address.
    pub fn bytes(self) -> [u8; 16] {
        match self.0 {
            IpAddr::V4(v4) => v4.to_ipv6_mapped().octets(),
            IpAddr::V6(v6) => v6.octets(),
        }
    }

    /// A name for the database: tells origins apart, and does not show the address.
    pub fn pseudonym(self) -> String {
        use sha2::{Digest, Sha256};
        let digest = Sha256::new().chain_update(b"portage origin\0").chain_update(self.bytes()).finalize();
        hex(digest.get(..16).unwrap_or_default())
    }

    /// This very machine.
    pub fn is_loopback(self) -> bool {
        self.0.is_loopback()
    }
}

/// The address of the caller; behind a proxy, what the proxy says.
///
/// A proxy adds the address it sees at the end: after what the client sent in the same line, or in
/// a line of its own. Only the last entry of the last line is our proxy's word; everything before
/// it is the client's. Without a proxy in the configuration the header is nobody's word.
pub fn client_address(req: &HttpRequest, behind_proxy: bool) -> Option<IpAddr> {
    let forwarded = || {
        let line = req.headers().get_all("x-forwarded-for").last()?.to_str().ok()?;
        hop(line.rsplit(',').next()?.trim())
    };
    if behind_proxy && let Some(ip) = forwarded() {
        return Some(ip);
    }
    req.peer_addr().map(|a| a.ip())
}

/// One hop: an address, with or without brackets and port.
fn hop(text: &str) -> Option<IpAddr> {
    let bare = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    text.parse().ok().or_else(|| text.parse().ok().map(|a: SocketAddr| a.ip())).or_else(bare)
}

/// A program on this very machine, not a proxy that speaks for somebody else.
pub fn is_local(req: &HttpRequest) -> bool {
    let spoken_for = ["x-forwarded-for", "forwarded", "x-real-ip"].iter().any(|h| req.headers().contains_key(*h));
    !spoken_for && req.peer_addr().is_some_and(|a| a.ip().to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use actix_web::test::TestRequest;

    use super::*;

    fn seen(lines: &[&str], behind_proxy: bool) -> String {
        let request = TestRequest::default().peer_addr("198.51.100.9:4000".parse().unwrap());
        let request = lines.iter().fold(request, |r, l| r.append_header(("X-Forwarded-For", *l))).to_http_request();
        client_address(&request, behind_proxy).unwrap().to_string()
    }

    #[test]
    fn only_the_last_hop_of_the_last_line_counts() {
        assert_eq!(seen(&["1.1.1.1, 2.2.2.2"], true), "2.2.2.2");
        assert_eq!(seen(&["1.1.1.1", "3.3.3.3,2.2.2.2"], true), "2.2.2.2");
        assert_eq!(seen(&["9.9.9.9, 8.8.8.8", "2.2.2.2"], true), "2.2.2.2");
        for (text, want) in
            [("[2001:db8::1]:443", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"), ("2.2.2.2:80", "2.2.2.2")]
        {
            assert_eq!(seen(&[text], true), want, "{text}");
        }
        // What is no address is ignored, and so is the header where no proxy is configured to write it.
        for lines in [&["1.1.1.1, nonsense"][..], &["1.1.1.1", ""], &[]] {
            assert_eq!(seen(lines, true), "198.51.100.9", "{lines:?}");
        }
        assert_eq!(seen(&["1.1.1.1"], false), "198.51.100.9");
    }

    #[test]
    fn a_network_is_one_origin() {
        let of = |text: &str| Origin::of(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.7"), of("192.0.2.7"));
        assert_ne!(of("192.0.2.7"), of("192.0.2.8"));
        assert_eq!(of("192.0.2.7").pseudonym().len(), 32);
        assert_ne!(of("192.0.2.7").pseudonym(), of("192.0.2.8").pseudonym());
    }
}
