package import HelioCore
private import NIOPosix

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The address of a STUN or TURN server, as users write it: `stun:HOST[:PORT]`, or
/// `turn:HOST[:PORT][?transport=udp|tcp]`, or, for TLS or DTLS, with the scheme `stuns:` or `turns:` (RFC 7064, RFC
/// 7065).
package struct ICEServerAddress: Equatable, Sendable {
    /// The maximum number of addresses of each family that are used for one name.
    private static let mostOfAFamily = 2

    package var isTURN: Bool
    package var isTCP: Bool
    package var isSecure: Bool
    package var host: String
    package var port: UInt16

    /// True if the transport is supported: UDP, TCP, and TLS to a TURN server; not DTLS, nor TLS to a STUN server.
    package var isSupported: Bool { !isSecure || (isTURN && isTCP) }

    /// Parses an address. Throws `invalidArgument` if the URL is malformed, or if a TURN server has no user name.
    package init(_ url: String, username: String) throws(HelioError) {
        func refuse(_ why: String) -> HelioError {
            HelioError(
                .invalidArgument,
                "'\(url)' is no ICE server (\(why)): stun:HOST[:PORT] or turn:HOST[:PORT][?transport=udp|tcp], with "
                    + "turns: by TLS")
        }
        guard let colon = url.firstIndex(of: ":") else { throw refuse("no scheme") }
        let scheme = url[..<colon].lowercased()
        guard ["stun", "turn", "stuns", "turns"].contains(scheme) else {
            throw refuse("'\(scheme)' is no scheme of one")
        }
        let isTURN = scheme.hasPrefix("turn")
        let isSecure = scheme.hasSuffix("s")
        var rest = url[url.index(after: colon)...]
        var isTCP = isSecure
        if let question = rest.firstIndex(of: "?") {
            guard isTURN else { throw refuse("a STUN server has no transport") }
            switch rest[question...].lowercased() {
            case "?transport=udp": isTCP = false
            case "?transport=tcp": isTCP = true
            default: throw refuse("transport is udp or tcp")
            }
            rest = rest[..<question]
        }
        var host = rest
        var port = isSecure ? 5349 : 3478
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { throw refuse("a bracket is missing") }
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw refuse("what is behind the bracket?") }
            if rest.hasPrefix(":") { port = Int(rest.dropFirst()) ?? 0 }
        } else if let colon = rest.lastIndex(of: ":") {
            host = rest[..<colon]
            port = Int(rest[rest.index(after: colon)...]) ?? 0
        }
        guard !host.isEmpty, !host.contains(where: { $0 == "/" || $0 == "@" || $0.isWhitespace }) else {
            throw refuse("no host")
        }
        guard let port = UInt16(exactly: port), port > 0 else { throw refuse("the port is a number from 1 to 65535") }
        guard !isTURN || !username.isEmpty else {
            throw HelioError(.invalidArgument, "The TURN server '\(url)' needs a user name and a password")
        }
        self.isTURN = isTURN
        self.isTCP = isTCP
        self.isSecure = isSecure
        self.host = String(host)
        self.port = port
    }

    /// Resolves the host's name to addresses of either family, in the system's order of preference; none if the name
    /// can't be resolved.
    package func resolve() async -> [TransportAddress] {
        if let ip = IPAddress(host) { return [TransportAddress(ip, port: port)] }
        // The look-up blocks its thread for as long as the name server takes.
        let found = try? await NIOThreadPool.singleton.runIfActive { [host] in Self.lookUp(host) }
        return Self.some(of: found ?? []).map { TransportAddress($0, port: port) }
    }

    /// Returns the first `mostOfAFamily` addresses of each family.
    static func some(of found: [IPAddress]) -> [IPAddress] {
        var taken: [IPAddress] = []
        for ip in found where !taken.contains(ip) && taken.count(where: { $0.family == ip.family }) < mostOfAFamily {
            taken.append(ip)
        }
        return taken
    }

    private static func lookUp(_ host: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_protocol = Int32(IPPROTO_UDP)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [IPAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let address = entry.ai_addr else { continue }
            let bytes = RawSpan(_unsafeStart: UnsafeRawPointer(address), byteCount: Int(entry.ai_addrlen))
            if entry.ai_family == AF_INET, let bits = bytes.uint32(at: 4) {
                found.append(.v4(bits))
            } else if entry.ai_family == AF_INET6, let high = bytes.uint64(at: 8), let low = bytes.uint64(at: 16) {
                found.append(.v6(high: high, low: low))
            }
        }
        return found
    }
}
