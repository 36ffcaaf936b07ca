package import HelioCore
package import HelioPeer
private import HelioProtection
private import HelioTURN
private import NIOCore
private import NIOPosix

/// Where a STUN or TURN server is, as people write it: `stun:HOST[:PORT]`, or `turn:HOST[:PORT][?transport=udp|tcp]`
/// (RFC 7064, RFC 7065).
package struct ICEServerAddress: Equatable, Sendable {
    package var isTURN: Bool
    package var isTCP: Bool
    package var host: String
    package var port: UInt16

    /// Throws `invalidArgument`, saying what is wrong: a TURN server needs a user name.
    package init(_ url: String, username: String) throws(HelioError) {
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
        guard let port = UInt16(exactly: port), port > 0 else { throw refuse("the port is a number from 1 to 65535") }
        guard scheme == "stun" || !username.isEmpty else {
            throw HelioError(.invalidArgument, "The TURN server '\(url)' needs a user name and a password")
        }
        self.init(isTURN: scheme == "turn", isTCP: isTCP, host: String(host), port: port)
    }

    private init(isTURN: Bool, isTCP: Bool, host: String, port: UInt16) {
        self.isTURN = isTURN
        self.isTCP = isTCP
        self.host = host
        self.port = port
    }

    /// What the host's name stands for: the address that the system likes best, if any. Throws `unreachable`.
    package func resolve() async throws(HelioError) -> TransportAddress? {
        if let ip = IPAddress(host) { return TransportAddress(ip, port: port) }
        do {
            // Blocks for as long as the name server takes.
            let found = try await NIOThreadPool.singleton.runIfActive { [host, port] in
                try SocketAddress.makeAddressResolvingHost(host, port: Int(port))
            }
            guard let text = found.ipAddress, let ip = IPAddress(text) else { return nil }
            return TransportAddress(ip, port: port)
        } catch {
            throw HelioError(
                .unreachable, "The ICE server's name '\(host)' can't be resolved: is it spelt right?", cause: error)
        }
    }
}

extension PeerConnectionConfiguration {
    /// One more server to find a way with.
    package mutating func add(
        _ address: TransportAddress, of server: ICEServerAddress, username: String, password: String
    ) {
        guard server.isTURN else { return stunServers.append(address) }
        turnServers.append(
            TURNServer(
                id: .init(rawValue: turnServers.count), address: address, isTCP: server.isTCP, username: username,
                password: SecretBytes(Array(password.utf8))))
    }
}
