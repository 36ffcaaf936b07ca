package import HelioCore
package import HelioProtection

/// The destination and parameters of a stream by SRT: `srt://HOST:PORT?PARAMETER=VALUE&…`, with the parameters of
/// libsrt's tools: `mode`, `streamid`, `passphrase`, `pbkeylen`, `latency` and `conntimeo`. Times are in milliseconds.
/// A further parameter, `open=yes`, allows a listener without a passphrase.
///
/// No description contains the passphrase, nor the stream ID, which many servers use as a key.
package struct SRTAddress: Sendable, Hashable {
    package static let scheme = "srt://"
    /// The valid lengths of a passphrase, in bytes.
    package static let passphraseSizes = 10...79
    /// The maximum size of a stream ID in bytes.
    package static let maximumStreamID = 512
    package static let defaultLatency = Duration.milliseconds(120)
    package static let latencies = Duration.milliseconds(20)...Duration.seconds(10)
    package static let defaultConnectTimeout = Duration.seconds(3)
    package static let connectTimeouts = Duration.milliseconds(250)...Duration.seconds(60)

    /// The known parameters.
    private enum Parameter: String {
        case mode
        case streamID = "streamid"
        case passphrase
        case keyLength = "pbkeylen"
        case latency
        case connectTimeout = "conntimeo"
        case open
        /// Accepted only with the value that always applies: `live`.
        case type = "transtype"
        /// Accepted only with the value that always applies: 1316.
        case payloadSize = "payloadsize"
        /// Accepted only with the value that always applies: 1316.
        case packetSize = "pkt_size"
    }

    package let mode: SRTMode
    /// The host's name or address, without brackets. For a listener, it is an address of this machine, or empty for all
    /// of them.
    package let host: String
    package let port: UInt16
    package private(set) var streamID: SecretBytes?
    package private(set) var passphrase: SecretBytes?
    /// The length of the encryption key; it has no effect without a passphrase.
    package private(set) var keyLength = SRTKeyLength.aes128
    /// The time within which a lost packet may be retransmitted, by which the receiver delays playout. The larger of
    /// both ends' values applies.
    package private(set) var latency = defaultLatency
    /// The timeout of opening a connection.
    package private(set) var connectTimeout = defaultConnectTimeout
    /// True for a listener that accepts any peer without a passphrase, as the user requested.
    package private(set) var isOpen = false

    /// Parses an address. Throws `invalidArgument` if it is malformed. The message contains nothing of the text, which
    /// may contain a key.
    package init(parsing text: String) throws(HelioError) {
        let malformed = HelioError(
            .invalidArgument,
            "The srt:// address can't be read: it goes srt://HOST:PORT, then ? and parameters like latency=120, with & "
                + "between them and other signs as %XX.")
        guard text.utf8.count <= 4096, Self.isScheme(text) else { throw malformed }
        let rest = text.utf8.dropFirst(Self.scheme.utf8.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "/") }
        var query = rest[authority.endIndex...]
        if query.first == UInt8(ascii: "/") { query = query.dropFirst() }
        guard query.isEmpty || query.first == UInt8(ascii: "?"), let place = Self.place(authority) else {
            throw malformed
        }
        var values: [Parameter: [UInt8]] = [:]
        let parameters = query.dropFirst().split(separator: UInt8(ascii: "&"))
        for (index, parameter) in parameters.enumerated() {
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Parameter(rawValue: String(Substring(parts[0]))),
                values[name] == nil, let value = PercentEncoding.bytes(parts[1])
            else {
                // The message does not contain the unknown name, as it may be a secret whose parameter name the user
                // forgot.
                throw HelioError(
                    .invalidArgument,
                    "Parameter \(index + 1) of the srt:// address is unknown, malformed or given twice. Known are "
                        + "mode, streamid, passphrase, pbkeylen, latency, conntimeo and open.")
            }
            values[name] = value
        }
        mode = try Self.mode(values[.mode])
        (host, port) = place
        guard mode == .listener || !host.isEmpty else { throw malformed }
        try take(values)
    }

    private mutating func take(_ values: [Parameter: [UInt8]]) throws(HelioError) {
        if let value = values[.type], value != Array("live".utf8) {
            throw HelioError(.invalidArgument, "SRT's transtype can only be live here.")
        }
        if let value = values[.open] {
            guard value == Array("yes".utf8), mode == .listener else {
                throw HelioError(
                    .invalidArgument, "SRT's open can only be yes, and belongs to an address with mode=listener.")
            }
            isOpen = true
        }
        for name in [Parameter.payloadSize, .packetSize] {
            if let value = values[name], value != Array("1316".utf8) {
                throw HelioError(.invalidArgument, "SRT's packets carry 1316 bytes here, and no other size.")
            }
        }
        if let value = values[.streamID] {
            guard (1...Self.maximumStreamID).contains(value.count) else {
                throw HelioError(.invalidArgument, "SRT's streamid has 1 to \(Self.maximumStreamID) bytes.")
            }
            streamID = SecretBytes(value)
        }
        if let value = values[.passphrase] { try setPassphrase(SecretBytes(value)) }
        if let value = values[.keyLength] {
            // A value of 0 means libsrt's default, which is AES-128, too.
            guard let number = Self.number(value),
                let length = number == 0 ? .aes128 : SRTKeyLength(rawValue: number)
            else { throw HelioError(.invalidArgument, "SRT's pbkeylen is 16, 24 or 32 bytes.") }
            keyLength = length
        }
        if let value = values[.latency] {
            latency = try Self.time(value, in: Self.latencies, "latency", "20 to 10000")
        }
        if let value = values[.connectTimeout] {
            connectTimeout = try Self.time(value, in: Self.connectTimeouts, "conntimeo", "250 to 60000")
        }
    }

    /// Sets a passphrase that is not in the address, for example from a file. Throws `invalidArgument` unless it has 10
    /// to 79 bytes.
    package mutating func setPassphrase(_ passphrase: SecretBytes) throws(HelioError) {
        guard Self.passphraseSizes.contains(passphrase.count) else {
            throw HelioError(.invalidArgument, "An SRT passphrase has 10 to 79 bytes.")
        }
        self.passphrase = passphrase
    }

    /// Sets a stream ID that is not in the address. Throws `invalidArgument` unless it has 1 to 512 bytes.
    package mutating func setStreamID(_ streamID: SecretBytes) throws(HelioError) {
        guard (1...Self.maximumStreamID).contains(streamID.count) else {
            throw HelioError(.invalidArgument, "SRT's streamid has 1 to \(Self.maximumStreamID) bytes.")
        }
        self.streamID = streamID
    }

    /// Checks that a listener is protected. Throws `invalidArgument` if other machines can reach the listener and it
    /// has no passphrase, unless `isOpen` is true; also if it has a stream ID, which a listener would not check.
    package func requireProtection() throws(HelioError) {
        guard mode == .listener else { return }
        guard streamID == nil else {
            throw HelioError(
                .invalidArgument,
                "An SRT listener checks no streamid, so that it would keep nobody out: leave it away, and give a "
                    + "passphrase.")
        }
        guard passphrase != nil || isOpen || isOnLoopback else {
            throw HelioError(
                .invalidArgument,
                "Whoever reaches this SRT listener would see the screen. Give a passphrase of 10 to 79 signs, best in the "
                    + "file of keys as passphrase=...; or add open=yes to the address, if everybody may watch.")
        }
    }

    /// True if only programs on this machine can reach the listener.
    private var isOnLoopback: Bool { host.lowercased() == "localhost" || IPAddress(host)?.unmapped.isLoopback == true }

    package static func isScheme(_ text: String) -> Bool {
        text.utf8.prefix(scheme.utf8.count).map { $0 | 0x20 }.elementsEqual(scheme.utf8.map { $0 | 0x20 })
    }

    private static func mode(_ value: [UInt8]?) throws(HelioError) -> SRTMode {
        guard let value else { return .caller }
        guard let mode = SRTMode(rawValue: String(decoding: value, as: UTF8.self)) else {
            throw HelioError(.invalidArgument, "SRT's mode is caller or listener here.")
        }
        return mode
    }

    private static func time(
        _ value: [UInt8], in range: ClosedRange<Duration>, _ name: String, _ bounds: String
    ) throws(HelioError) -> Duration {
        guard let number = number(value), range.contains(.milliseconds(number)) else {
            throw HelioError(.invalidArgument, "SRT's \(name) is \(bounds), in milliseconds.")
        }
        return .milliseconds(number)
    }

    private static func number(_ value: [UInt8]) -> Int? {
        guard (1...9).contains(value.count), value.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Parses `HOST:PORT`, `[IPv6]:PORT` or `:PORT`.
    private static func place(_ text: Substring.UTF8View) -> (String, UInt16)? {
        guard let colon = text.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        var host = text[..<colon]
        if host.first == UInt8(ascii: "[") {
            guard host.last == UInt8(ascii: "]") else { return nil }
            host = host.dropFirst().dropLast()
            guard !host.isEmpty else { return nil }
        } else if host.contains(UInt8(ascii: ":")) {
            return nil
        }
        let digits = Array(text[text.index(after: colon)...])
        // Refuse an @: it has no meaning in SRT, and the text before it may be a secret.
        guard host.count <= 255, host.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "@") }),
            digits.count <= 5, let number = number(digits), let port = UInt16(exactly: number), port > 0
        else { return nil }
        return (String(Substring(host)), port)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(port)
    }
}

extension SRTAddress: CustomStringConvertible, CustomReflectable {
    /// Scheme, host and port, which are safe to show and log.
    package var description: String { Self.scheme + Authority.text(host, port: port) }
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
