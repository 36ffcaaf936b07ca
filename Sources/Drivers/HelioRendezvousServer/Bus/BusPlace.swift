private import Foundation
package import HelioCore
package import HelioProtection
internal import HelioStores

/// The NATS servers by which several instances of the service meet, and what proves to them who this is.
package struct BusPlace: Sendable {
    /// The credentials that are shown to the NATS servers.
    package enum Credentials: Sendable {
        /// The path of a `.creds` file, with a JWT and the seed of a key; it is read again at each connection.
        case file(String)
        case user(String, SecretBytes)
        case token(SecretBytes)
    }

    /// The URLs of servers of one cluster, `nats://HOST:PORT` or, with TLS, `tls://HOST:PORT`.
    package let servers: [String]
    package let credentials: Credentials?
    /// The file with the certificates (PEM) that have signed the servers'; `nil` for those that the system trusts.
    package let authorities: String?

    package static let usualPort: UInt16 = 4222
    private static let mostServers = 16
    private static let limit = 16 << 10

    package var isSecure: Bool { servers.allSatisfy { $0.hasPrefix("tls:") } }
    /// The servers for a message to the operator.
    package var text: String { servers.joined(separator: ", ") }

    /// Parses the servers' URLs, and reads the credentials. Throws `invalidArgument`, or `systemFailed` if the file
    /// can't be used.
    ///
    /// - Parameters:
    ///   - urls: `nats://HOST[:PORT]` or `tls://HOST[:PORT]`, all with the same scheme, without user or password.
    ///   - credentialsFile: a file that its owner alone can read: NATS's `.creds`, a line `USER:PASSWORD`, or a token.
    package init(
        parsing urls: [String], credentialsFile: String? = nil, authorities: String? = nil
    ) throws(HelioError) {
        guard !urls.isEmpty, urls.count <= Self.mostServers else {
            throw HelioError(.invalidArgument, "Give 1 to \(Self.mostServers) NATS servers.")
        }
        var servers: [String] = []
        for url in urls { servers.append(try Self.parse(url)) }
        guard Set(servers.map { $0.hasPrefix("tls:") }).count == 1 else {
            throw HelioError(.invalidArgument, "Give all NATS servers with nats://, or all with tls://.")
        }
        self.servers = servers
        guard authorities == nil || servers[0].hasPrefix("tls:") else {
            throw HelioError(
                .invalidArgument, "Certificates are for NATS servers with tls://: \(servers[0]) is without.")
        }
        if let authorities, !FileManager.default.isReadableFile(atPath: authorities) {
            throw HelioError(.systemFailed, "The certificates \(authorities) can't be read: name a file in PEM.")
        }
        self.authorities = authorities
        credentials = if let credentialsFile { try Self.read(credentialsFile) } else { nil }
    }

    private static func parse(_ url: String) throws(HelioError) -> String {
        // The URL itself is not repeated where it may have a password.
        guard !url.contains("@") else {
            throw HelioError(
                .invalidArgument,
                "A NATS server's URL has no user and password, as other users can see it: put them into a file.")
        }
        for scheme in ["nats://", "tls://"] where url.hasPrefix(scheme) {
            var rest = url.dropFirst(scheme.count)
            if rest.last == "/" { rest = rest.dropLast() }
            guard let (host, port) = Authority.parse(rest, excluding: "/?#,\\\"") else { break }
            return scheme + Authority.text(host, port: port ?? usualPort)
        }
        throw HelioError(.invalidArgument, "\(url) is no NATS server: give nats://HOST[:PORT] or tls://HOST[:PORT].")
    }

    private static func read(_ path: String) throws(HelioError) -> Credentials {
        let text = try PrivatePaths.read(path, limit: limit)
        if text.contains("-----BEGIN NATS USER JWT-----") { return .file(path) }
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count == 1, let line = lines.first, line.allSatisfy({ $0.isASCII && !$0.isWhitespace }) else {
            throw HelioError(
                .systemFailed, "\(path): give a .creds file of NATS, or one line with USER:PASSWORD or a token.")
        }
        guard let colon = line.firstIndex(of: ":") else { return .token(SecretBytes(Array(line.utf8))) }
        return .user(String(line[..<colon]), SecretBytes(Array(line[line.index(after: colon)...].utf8)))
    }
}
