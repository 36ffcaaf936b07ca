/// Host and port as they stand in a URL (RFC 3986 section 3.2).
package enum Authority {
    /// `HOST:PORT`.
    package static func text(_ host: String, port: some BinaryInteger) -> String { "\(self.host(host)):\(port)" }

    /// An address of IPv6 in brackets, anything else as it is.
    package static func host(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
