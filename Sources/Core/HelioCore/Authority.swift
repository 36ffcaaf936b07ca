/// Host and port as written in a URL (RFC 3986 section 3.2).
package enum Authority {
    /// `HOST:PORT`.
    package static func text(_ host: String, port: some BinaryInteger) -> String { "\(self.host(host)):\(port)" }

    /// The host as written in a URL: an IPv6 address in brackets, anything else as it is.
    package static func host(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
