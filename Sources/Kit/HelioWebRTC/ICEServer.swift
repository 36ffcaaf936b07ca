internal import HelioCore
private import HelioProtection
private import HelioTURN
private import NIOCore
private import NIOPosix

/// A server that helps to find a way to the peer: one of STUN tells how this end is seen from outside, one of TURN
/// relays what finds no other way.
public struct ICEServer: Sendable {
    /// `stun:HOST[:PORT]`, or `turn:HOST[:PORT][?transport=udp|tcp]` (RFC 7064, RFC 7065). The usual port is 3478.
    public var url: String
    /// For TURN.
    public var username: String
    /// For TURN. Is in no description of this value.
    public var password: String

    /// A server of STUN, or one of TURN where there are user name and password.
    public init(_ url: String, username: String = "", password: String = "") {
        self.url = url
        self.username = username
        self.password = password
    }
}

extension ICEServer: CustomStringConvertible, CustomReflectable {
    /// The address alone.
    public var description: String { url }
    /// The address alone.
    public var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}

extension ICEServer {
    /// What an address comes to.
    struct Parts: Equatable {
        var isTURN: Bool
        var isTCP: Bool
        var host: String
        var port: Int
    }

    /// Throws `invalidArgument`.
    func parts() throws(HelioError) -> Parts {
        func refuse(_ why: String) -> HelioError {
            HelioError(
                .invalidArgument,
                "'\(url)' is no ICE server (\(why)): stun:HOST[:PORT] or turn:HOST[:PORT][?transport=udp|tcp]")
        }
        guard let colon = url.firstIndex(of: ":") else { throw refuse("no scheme") }
        let scheme = url[..<colon].lowercased()
        guard scheme == "stun" || scheme == "turn" else { throw refuse("'\(scheme)' is not supported") }
        var rest = url[url.index(after: colon)...]
        var isTCP = false
        if let question = rest.firstIndex(of: "?") {
            guard scheme == "turn" else { throw refuse("a STUN server has no transport") }
            switch rest[question...].lowercased() {
            case "?transport=udp": break
            case "?transport=tcp": isTCP = true
            default: throw refuse("transport is udp or tcp")
            }
            rest = rest[..<question]
        }
        var host = rest
        var port = 3478
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
        guard (1...65535).contains(port) else { throw refuse("the port is a number from 1 to 65535") }
        guard scheme == "stun" || !username.isEmpty else {
            throw HelioError(.invalidArgument, "The TURN server '\(url)' needs a user name and a password")
        }
        return Parts(isTURN: scheme == "turn", isTCP: isTCP, host: String(host), port: port)
    }

    /// What the host's name stands for: the address that the system likes best. Throws `unreachable`.
    func addresses(of parts: Parts) async throws(HelioError) -> [TransportAddress] {
        if let ip = IPAddress(parts.host) { return [TransportAddress(ip, port: UInt16(parts.port))] }
        do {
            // Blocks for as long as the name server takes.
            let found = try await NIOThreadPool.singleton.runIfActive {
                try SocketAddress.makeAddressResolvingHost(parts.host, port: parts.port)
            }
            guard let text = found.ipAddress, let ip = IPAddress(text) else { return [] }
            return [TransportAddress(ip, port: UInt16(parts.port))]
        } catch {
            throw HelioError(
                .unreachable, "The ICE server's name '\(parts.host)' can't be resolved: is it spelt right?",
                cause: error)
        }
    }
}
