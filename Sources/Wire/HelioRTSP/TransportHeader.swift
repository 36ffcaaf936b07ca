package import HelioCore

/// A transport in a `Transport` header (RFC 2326 section 12.39):
/// `RTP/SAVPF/UDP;unicast;client_port=5000-5001;mode="PLAY"`.
package struct TransportHeader: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        package var name: String
        /// The value as written, including quotes; `nil` if the name has no value.
        package var value: String?

        package init(_ name: String, _ value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    package enum Delivery: String, Sendable {
        case unicast, multicast
    }

    /// The protocol, profile and lower transport, for example `RTP/SAVPF/UDP`.
    package var transport: String
    package var delivery: Delivery?
    /// The client's ports; a single port is a range of one.
    package var clientPorts: ClosedRange<UInt16>?
    package var serverPorts: ClosedRange<UInt16>?
    /// The channels on the RTSP connection.
    package var interleaved: ClosedRange<UInt8>?
    package var ssrc: SSRC?
    /// The mode, without its quotes.
    package var mode: String?
    /// All other parameters, in order.
    package var others: [Parameter] = []

    package init(_ transport: String, delivery: Delivery? = .unicast) {
        self.transport = transport
        self.delivery = delivery
    }

    /// All transports of a header, in the client's order of preference; `nil` if any is malformed, or there are more
    /// than 16.
    package static func list(_ value: String) -> [TransportHeader]? {
        guard value.utf8.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) else { return nil }
        let parts = Text.parts(value, by: UInt8(ascii: ","))
        guard parts.count <= 16 else { return nil }
        let list = parts.compactMap { TransportHeader($0) }
        return list.count == parts.count ? list : nil
    }

    private init?(_ text: Substring) {
        let parts = Text.parts(text, by: UInt8(ascii: ";"))
        guard
            parts[0].utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .allSatisfy({ Text.isToken(Substring($0)) })
        else { return nil }
        self.init(String(parts[0]), delivery: nil)
        var seen: Set<String> = []
        for part in parts.dropFirst() {
            let (name, value) = Text.cut(part, at: UInt8(ascii: "="))
            guard Text.isToken(name), seen.insert(name.lowercased()).inserted,
                take(name.lowercased(), name, value)
            else { return nil }
        }
    }

    /// Stores a parameter; returns false if it is malformed.
    private mutating func take(_ key: String, _ name: Substring, _ value: Substring?) -> Bool {
        switch key {
        case "unicast", "multicast":
            guard delivery == nil, value == nil else { return false }
            delivery = Delivery(rawValue: key)
        case "client_port":
            clientPorts = Self.range(value)
            return clientPorts != nil
        case "server_port":
            serverPorts = Self.range(value)
            return serverPorts != nil
        case "interleaved":
            interleaved = Self.range(value)
            return interleaved != nil
        case "ssrc":
            guard let value, (1...8).contains(value.utf8.count),
                value.utf8.first != UInt8(ascii: "+"), let number = UInt32(value, radix: 16)
            else { return false }
            ssrc = SSRC(number)
        case "mode":
            guard let value else { return false }
            var bytes = value.utf8
            if bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") {
                bytes = bytes.dropFirst().dropLast()
            }
            guard !bytes.contains(UInt8(ascii: "\"")) else { return false }
            mode = String(Substring(bytes))
        default:
            others.append(Parameter(String(name), value.map { String($0) }))
        }
        return true
    }

    private static func range<Number: FixedWidthInteger>(_ text: Substring?) -> ClosedRange<Number>? {
        guard let text else { return nil }
        let (first, second) = Text.cut(text, at: UInt8(ascii: "-"))
        guard let low = Text.decimal(first).flatMap({ Number(exactly: $0) }),
            let high = second.map({ Text.decimal($0).flatMap { Number(exactly: $0) } }) ?? low, low <= high
        else { return nil }
        return low...high
    }

    /// The text of this transport in a header; several transports are joined with `,`.
    package var value: String {
        func text<Number>(_ range: ClosedRange<Number>) -> String {
            range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
        }
        var parts = [transport]
        if let delivery { parts.append(delivery.rawValue) }
        if let clientPorts { parts.append("client_port=\(text(clientPorts))") }
        if let serverPorts { parts.append("server_port=\(text(serverPorts))") }
        if let interleaved { parts.append("interleaved=\(text(interleaved))") }
        if let ssrc {
            let digits = String(ssrc.rawValue, radix: 16, uppercase: true)
            parts.append("ssrc=" + String(repeating: "0", count: 8 - digits.count) + digits)
        }
        for other in others { parts.append(other.value.map { "\(other.name)=\($0)" } ?? other.name) }
        if let mode { parts.append("mode=\"\(mode)\"") }
        return parts.joined(separator: ";")
    }
}
