package import HelioCore

/// An `m=` line and the lines of its section (RFC 8866 section 5.14).
package struct MediaSection: Hashable, Sendable {
    package var kind: MediaKind
    /// The port; 0 if the section is refused, or, in RTSP, if SETUP negotiates it.
    package var port: UInt16
    /// The number of consecutive ports; more than 1 only for layered encodings.
    package var portCount: UInt16 = 1
    /// The transport protocol, such as `RTP/SAVPF`.
    package var transport: String
    /// The formats, which are payload types for RTP; at least one.
    package var formats: [String]
    package var information: String?
    package var connection: ConnectionData?
    package var bandwidths: [Bandwidth] = []
    package var attributes: AttributeList

    package init(
        _ kind: MediaKind, port: UInt16, transport: String, formats: [String], attributes: AttributeList = .init()
    ) {
        self.kind = kind
        self.port = port
        self.transport = transport
        self.formats = formats
        self.attributes = attributes
    }

    init?(line: String) {
        let fields = Text.fields(line, by: 0x20)
        guard fields.count >= 4, Text.isToken(fields[0]), fields[3...].allSatisfy({ Text.isToken($0) }) else {
            return nil
        }
        let (port, count) = Text.cut(fields[1], at: UInt8(ascii: "/"))
        guard let number = Text.decimal(port).flatMap({ UInt16(exactly: $0) }),
            Text.fields(fields[2], by: UInt8(ascii: "/")).allSatisfy({ Text.isToken($0) })
        else { return nil }
        self.init(
            MediaKind(rawValue: String(fields[0])), port: number, transport: String(fields[2]),
            formats: fields[3...].map { String($0) })
        if let count {
            guard let ports = Text.decimal(count).flatMap({ UInt16(exactly: $0) }), ports > 0 else { return nil }
            portCount = ports
        }
    }

    var line: String {
        let ports = portCount == 1 ? "\(port)" : "\(port)/\(portCount)"
        return "\(kind.rawValue) \(ports) \(transport) \(formats.joined(separator: " "))"
    }
}

/// The direction of media from the point of view of the description's sender: `a=sendrecv`, `a=sendonly`, `a=recvonly`
/// or `a=inactive` (RFC 8866 section 6.7).
package enum MediaDirection: String, Sendable, CaseIterable {
    case sendrecv, sendonly, recvonly, inactive

    package init(sends: Bool, receives: Bool) {
        switch (sends, receives) {
        case (true, true): self = .sendrecv
        case (true, false): self = .sendonly
        case (false, true): self = .recvonly
        case (false, false): self = .inactive
        }
    }

    package var sends: Bool { self == .sendrecv || self == .sendonly }
    package var receives: Bool { self == .sendrecv || self == .recvonly }
    /// The same direction from the other end's point of view.
    package var reversed: Self { Self(sends: receives, receives: sends) }

    package func intersection(_ other: Self) -> Self {
        Self(sends: sends && other.sends, receives: receives && other.receives)
    }
}

/// `a=framerate` (RFC 8866 section 6.13), in whole frames per second.
package struct FrameRate: AttributeValue {
    package static let attributeName = "framerate"
    package var framesPerSecond: Int

    package init(framesPerSecond: Int) { self.framesPerSecond = framesPerSecond }

    package init?(attributeValue: String?) {
        guard let value = attributeValue.flatMap({ Double($0) }), value >= 1, value <= 1000 else { return nil }
        framesPerSecond = Int(value)
    }

    package var attributeValue: String? { "\(framesPerSecond)" }
}

/// `a=control:video`: the URL for RTSP's SETUP, absolute or relative to the description's base (RFC 2326 appendix
/// C.1.1).
package struct ControlURL: AttributeValue {
    package static let attributeName = "control"
    package var url: String

    package init(_ url: String) { self.url = url }
    package init?(attributeValue: String?) {
        guard let attributeValue, Text.isWord(attributeValue) else { return nil }
        url = attributeValue
    }
    package var attributeValue: String? { url }
}
