/// An `m=` line and all that belongs to it (RFC 8866 section 5.14).
package struct MediaSection: Hashable, Sendable {
    package var kind: MediaKind
    /// 0: refused, or, in RTSP, left to SETUP.
    package var port: UInt16
    /// Consecutive ports; 1 unless layered.
    package var portCount: UInt16 = 1
    /// `RTP/SAVPF`, say.
    package var transport: String
    /// Payload types, for RTP; at least one.
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
