internal import HelioCore
internal import NIOHTTP1

/// The details of a forwarded request, from a proxy's headers `X-Forwarded-Proto`, `X-Forwarded-Host` and
/// `X-Forwarded-For`. Anybody can send those, so they count only from the proxies that were named.
struct ForwardedRequest: Equatable {
    /// True if the browser came to the proxy by HTTPS, false if it came by HTTP; `nil` if the proxy does not report it.
    var isSecure: Bool?
    /// The host that the browser asked the proxy for, with its port if it named one; `nil` if `Host` has it.
    var host: String?
    /// The address from which the browser came to the proxy.
    var client: IPAddress?

    /// - Returns: `nil` where the request did not come from one of the proxies.
    init?(_ headers: HTTPHeaders, from peer: IPAddress?, proxies: Set<IPAddress>) {
        guard let peer, proxies.contains(peer) else { return nil }
        switch Self.last(headers, "x-forwarded-proto")?.lowercased() {
        case "https", "wss": isSecure = true
        case "http", "ws": isSecure = false
        default: isSecure = nil
        }
        host = Self.last(headers, "x-forwarded-host")
        client = Self.last(headers, "x-forwarded-for").flatMap { IPAddress($0) }?.unmapped
    }

    /// The last value in a list: if several proxies have forwarded a request, the last one, which is trusted, has
    /// appended it.
    private static func last(_ headers: HTTPHeaders, _ name: String) -> String? {
        headers[canonicalForm: name].last.map(String.init).flatMap { $0.isEmpty ? nil : $0 }
    }
}
