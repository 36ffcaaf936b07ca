package import HelioCore
package import NIOHTTP1

/// The details of a forwarded request, from a proxy's headers `X-Forwarded-Proto`, `X-Forwarded-Host` and
/// `X-Forwarded-For`. Any client can send these headers, so they are only used from trusted proxies.
package struct ForwardedRequest: Equatable {
    /// True if the browser connected to the proxy by HTTPS, false if by HTTP; `nil` if the proxy does not report it.
    package var isSecure: Bool?
    /// The host that the browser requested from the proxy, with the port if the browser sent one; `nil` if `Host`
    /// contains it.
    package var host: String?
    /// The browser's address, as the proxy saw it.
    package var client: IPAddress?

    /// - Returns: `nil` if the request was not forwarded by one of the proxies.
    package init?(_ headers: HTTPHeaders, from peer: IPAddress?, proxies: Set<IPAddress>) {
        guard let peer, proxies.contains(peer) else { return nil }
        switch Self.last(headers, "x-forwarded-proto")?.lowercased() {
        case "https", "wss": isSecure = true
        case "http", "ws": isSecure = false
        default: isSecure = nil
        }
        host = Self.last(headers, "x-forwarded-host")
        client = Self.last(headers, "x-forwarded-for").flatMap { IPAddress($0) }?.unmapped
    }

    /// Returns the last value of a list header. If several proxies have forwarded a request, the last proxy, which is
    /// trusted, has appended this value.
    private static func last(_ headers: HTTPHeaders, _ name: String) -> String? {
        headers[canonicalForm: name].last.map(String.init).flatMap { $0.isEmpty ? nil : $0 }
    }
}
