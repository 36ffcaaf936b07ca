package import HelioCore
internal import HelioRendezvousWire

/// The link that `heliograph share` prints and `heliograph view` follows: the host's address, its certificate's
/// fingerprint, and a one-time secret that admits the viewer.
///
///     heliograph://192.168.1.20:7236/#FINGERPRINT.SECRET
///     heliograph://192.168.1.20:7236/?also=10.8.0.2,fd00::20#FINGERPRINT.SECRET
///     heliograph://192.168.1.20:7236/?also=10.8.0.2&via=DEVICE@rendezvous.example.org#FINGERPRINT.SECRET
///
/// `also=` lists further addresses of the same host, with the same port, for viewers on its other networks. `via=` is
/// the rendezvous server by which viewers on all networks reach the host, and the host's name there. The
/// fingerprint (32 bytes) and the secret (10 bytes) are base 32 in the fragment, which HTTP clients never send to a
/// server.
package struct ShareLink: Sendable, Hashable {
    package static let scheme = "heliograph"
    package static let defaultPort: UInt16 = 7236
    /// The length of a secret in bytes: 80 bits, which can't be guessed, but are short enough to type.
    package static let secretBytes = 10

    package var host: String
    package var port: UInt16
    /// The host's name as sent by the host; `nil` if it is unknown. It is never part of `text`.
    package var name: String?
    /// Other addresses of the same host, for use if `host` is unreachable or belongs to another machine.
    package var otherHosts: [String] = []
    /// The maximum number of further addresses, as a viewer tries to connect to each.
    package static let otherHostLimit = 7
    /// SHA-256 of the host's certificate; `nil` if only address and code were typed. The host is then authenticated by
    /// its proof of the secret, which is bound to its certificate.
    package var fingerprint: [UInt8]?
    package var secret: [UInt8]
    /// The place where the host is reached from any network; `nil` if there is none.
    package var rendezvous: HostRendezvous?
    /// The secret of calls to the host by the rendezvous, if it is not `secret`, which may be a ticket for coming back;
    /// never part of `text`.
    package var callSecret: [UInt8]?
    /// True to reach the host by the rendezvous alone. It is never part of `text`.
    package var avoidsAddresses = false
    /// The paired device that `secret` belongs to; `nil` if `secret` is the link's own. It is never part of `text`.
    package var device: DeviceID?
    /// True if the fingerprint comes from the host's announcement on the local network: it helps to find the host, but
    /// does not authenticate it. It is never part of `text`.
    package var isAnnounced = false

    package init(host: String, port: UInt16, fingerprint: [UInt8]?, secret: [UInt8]) {
        self.host = host
        self.port = port
        self.fingerprint = fingerprint
        self.secret = secret
    }

    /// The host's addresses in the order of connection attempts: `host`, then `otherHosts`.
    package var hosts: [String] { [host] + otherHosts }
    package var authority: String { Authority.text(host, port: port) }

    /// The error for a host whose certificate does not have the link's fingerprint.
    package func mismatch(at address: String) -> HelioError {
        let what: String
        var remedy: HelioError.Remedy?
        if isAnnounced {
            what =
                "not the one that announces itself by this name: its key is another. If you know the address to be right, "
                + "give it in place of the name."
        } else if device == nil {
            what =
                "not the one that the link was made by: its key is another. Get a fresh link from the sharing machine; if "
                + "this repeats, somebody is in between."
        } else {
            what =
                "not the one that this device was paired with: its key is another. If it was not set up anew, somebody "
                + "is in between."
            remedy = .pairAgainIfSetUpAnew
        }
        return HelioError(.refused, "The host at \(address) is \(what)", remedy: remedy, reason: HelioError.impostor)
    }

    /// The link with its secret, for the user who shares; it must not be logged.
    package var text: String {
        let print = fingerprint.map { Base32.encode($0) + "." } ?? ""
        // Earlier versions read `also=` only if it is first.
        var parameters = otherHosts.isEmpty ? [] : [Self.also + otherHosts.joined(separator: ",")]
        if let rendezvous { parameters.append(HostRendezvous.parameter + rendezvous.parameterValue) }
        let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
        return "\(Self.scheme)://\(authority)/\(query)#\(print)\(Base32.encode(secret))"
    }

    /// The secret as a code to type, in groups of four characters: XXXX-XXXX-XXXX-XXXX.
    package var code: String { Self.code(of: secret) }

    package static func code(of secret: [UInt8]) -> String {
        var grouped = ""
        for (index, character) in Base32.encode(secret).enumerated() {
            if index > 0, index % 4 == 0 { grouped.append("-") }
            grouped.append(character)
        }
        return grouped
    }

    /// The fragment of a browser's link: the code, followed by a dot and the port for native viewers unless that port
    /// is the default. The link's own port is that of the web page.
    ///
    ///     http://192.168.1.20:8080/#XXXX-XXXX-XXXX-XXXX
    ///     http://192.168.1.20:8080/#XXXX-XXXX-XXXX-XXXX.7300
    package var pageFragment: String { port == Self.defaultPort ? code : "\(code).\(port)" }

    /// The components of a host's address or link.
    private struct Parts {
        var host: String
        var port: UInt16
        var otherHosts: [String] = []
        var rendezvous: HostRendezvous?
        /// True if the address is that of the rendezvous server, and the host's own is not known.
        var isCalled = false
        var fingerprint: Substring?
        var secret: Substring?
    }

    private static func parts(of text: String) throws(HelioError) -> Parts {
        let trimmed = text.split(whereSeparator: \.isWhitespace).joined()
        let prefix = Self.scheme + "://"
        let isLink = trimmed.lowercased().hasPrefix(prefix)
        let page = pagePrefix(of: trimmed)
        let rest = isLink ? trimmed.dropFirst(prefix.count) : trimmed.dropFirst(page?.count ?? 0)
        let halves = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var address = halves[0]
        var parameters: [Substring] = []
        if let query = address.firstIndex(of: "?") {
            parameters = address[query...].dropFirst().split(separator: "&")
            address = address[..<query]
        }
        if address.hasSuffix("/") { address = address.dropLast() }
        if let page, halves.count == 2, let called = try calledParts(page, address, halves[1]) { return called }
        let (host, port) = try Self.address(address)
        var parts = Parts(host: host, port: port)
        parts.otherHosts = try Self.otherHosts(parameters)
        parts.rendezvous = try Self.rendezvous(parameters)
        let fields = halves.count == 2 ? halves[1].split(separator: ".", omittingEmptySubsequences: false) : []
        if fields.count > 2 {
            throw HelioError(.invalidArgument, "The link is not whole: copy it again from the sharing machine.")
        }
        if page != nil {
            parts.port = fields.count == 2 ? try Self.port(fields[1], in: address) : defaultPort
            parts.secret = fields.first
        } else {
            parts.fingerprint = fields.count == 2 ? fields[0] : nil
            parts.secret = fields.last
        }
        return parts
    }

    /// Parses the link of a rendezvous server's page (`HostRendezvous.pageLink`); `nil` for a host's own page.
    private static func calledParts(
        _ scheme: String, _ address: Substring, _ fragment: Substring
    ) throws(HelioError) -> Parts? {
        let fields = fragment.split(separator: ".", omittingEmptySubsequences: false)
        guard fields.count == 2, let device = RendezvousID(fields[0]) else { return nil }
        let (host, port) = try Self.address(address.prefix { $0 != "/" })
        var parts = Parts(host: host, port: port)
        parts.rendezvous = HostRendezvous(device: device, server: scheme + address)
        parts.secret = fields[1]
        parts.isCalled = true
        return parts
    }

    private static func pagePrefix(of text: String) -> String? {
        ["http://", "https://"].first { text.lowercased().hasPrefix($0) }
    }

    /// Returns true if the text is a browser's address or link that names no port for native viewers; the default port
    /// then applies.
    package static func isPageAlone(_ text: String) -> Bool {
        let trimmed = text.split(whereSeparator: \.isWhitespace).joined()
        return pagePrefix(of: trimmed) != nil && trimmed.firstMatch(of: /#.*\./) == nil
    }

    /// Parses a host's address (`host`, `host:port`) or any of its links. Returns the host and the port for native
    /// viewers. Throws `invalidArgument` if the text is malformed.
    package static func place(of text: String) throws(HelioError) -> (host: String, port: UInt16) {
        let parts = try parts(of: text)
        return (parts.host, parts.port)
    }

    /// Parses a link, an address (`host`, `host:port`) with a separate code, or a browser's link, which has the same
    /// host and code (see `pageFragment`), or the code alone and the host's name at a rendezvous server.
    ///
    /// Throws `invalidArgument` if the text or the code is malformed. The message never contains the secret.
    package init(parsing text: String, code: String? = nil) throws(HelioError) {
        let parts = try Self.parts(of: text)
        (host, port, otherHosts) = (parts.host, parts.port, parts.otherHosts)
        rendezvous = parts.rendezvous
        avoidsAddresses = parts.isCalled
        if let print = parts.fingerprint {
            guard let bytes = Base32.decode(print), bytes.count == 32 else {
                throw HelioError(
                    .invalidArgument,
                    "The link's fingerprint is damaged: copy the whole link again from the sharing machine.")
            }
            fingerprint = bytes
        } else {
            fingerprint = nil
        }
        guard let secretText = code.map({ $0[...] }) ?? parts.secret else {
            throw HelioError(
                .invalidArgument, "The link has no secret: copy it whole.", remedy: .giveCode)
        }
        secret = try Self.secret(secretText)
    }

    /// Decodes a code, XXXX-XXXX-XXXX-XXXX. Throws `invalidArgument` if it is malformed; the message does not contain
    /// the code.
    package static func secret(_ code: some StringProtocol) throws(HelioError) -> [UInt8] {
        guard let secret = Base32.decode(code), secret.count == secretBytes else {
            throw HelioError(
                .invalidArgument, "The code is not right: it has 16 letters and digits, XXXX-XXXX-XXXX-XXXX.")
        }
        return secret
    }

    private static let also = "also="

    /// Parses `also=` and its addresses. Other parameters are ignored, as later versions may have more. Throws
    /// `invalidArgument` if an address is malformed or there are too many.
    private static func otherHosts(_ parameters: [Substring]) throws(HelioError) -> [String] {
        guard let list = parameters.first(where: { $0.hasPrefix(also) })?.dropFirst(also.count) else { return [] }
        let hosts = list.split(separator: ",", omittingEmptySubsequences: false)
        let isSound = hosts.allSatisfy { host in
            (1...255).contains(host.utf8.count)
                && host.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
        }
        guard isSound, hosts.count <= otherHostLimit else {
            throw HelioError(
                .invalidArgument,
                "The link's further addresses are damaged: copy the whole link again from the sharing machine.")
        }
        return hosts.map(String.init)
    }

    /// Parses `via=`. Throws `invalidArgument` if it is malformed.
    private static func rendezvous(_ parameters: [Substring]) throws(HelioError) -> HostRendezvous? {
        let name = HostRendezvous.parameter
        guard let value = parameters.first(where: { $0.hasPrefix(name) })?.dropFirst(name.count) else { return nil }
        guard let place = HostRendezvous(parameterValue: value) else {
            throw HelioError(
                .invalidArgument,
                "The link's rendezvous server is damaged: copy the whole link again from the sharing machine.")
        }
        return place
    }

    /// Parses `host`, `host:port` or `[host]:port`. Throws `invalidArgument` if the text is malformed.
    package static func address(_ text: Substring) throws(HelioError) -> (host: String, port: UInt16) {
        var host = text
        var port = defaultPort
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else {
                throw HelioError(.invalidArgument, "The address '\(text)' has no closing ']'.")
            }
            host = text[text.index(after: text.startIndex)..<close]
            let rest = text[text.index(after: close)...]
            if !rest.isEmpty { port = try self.port(rest.dropFirst(), in: text) }
        } else if let colon = text.lastIndex(of: ":"), text.firstIndex(of: ":") == colon {
            host = text[..<colon]
            port = try self.port(text[text.index(after: colon)...], in: text)
        }
        if host.isEmpty {
            throw HelioError(.invalidArgument, "There is no address: give the link that the sharing machine shows.")
        }
        return (String(host), port)
    }

    private static func port(_ text: Substring, in address: Substring) throws(HelioError) -> UInt16 {
        guard let port = UInt16(text), port > 0 else {
            throw HelioError(.invalidArgument, "The port in '\(address)' is not a number from 1 to 65535.")
        }
        return port
    }
}

extension ShareLink: CustomStringConvertible, CustomReflectable {
    /// The link without its secret, which is safe to log.
    package var description: String { "\(Self.scheme)://\(authority)/#..." }
    package var customMirror: Mirror { Mirror(self, children: ["link": description]) }
}
