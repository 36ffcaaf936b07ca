/// A WebSocket frame, byte by byte (RFC 6455 section 5.2).
struct Frame: Equatable {
    static let text: UInt8 = 1
    static let binary: UInt8 = 2
    static let close: UInt8 = 8
    static let ping: UInt8 = 9
    static let pong: UInt8 = 10

    /// The first byte: FIN, the reserved bits and the opcode.
    var first: UInt8
    var content: [UInt8]

    /// - Parameter length: the declared length, if it differs from the real one.
    static func bytes(
        _ opcode: UInt8, _ content: [UInt8], fin: Bool = true, reserved: UInt8 = 0, mask: [UInt8]? = [1, 2, 3, 4],
        length: UInt64? = nil
    ) -> [UInt8] {
        let length = length ?? UInt64(content.count)
        var bytes = [(fin ? 0x80 : 0) | reserved | opcode]
        let bit: UInt8 = mask == nil ? 0 : 0x80
        switch length {
        case ...125: bytes.append(bit | UInt8(length))
        case ...0xFFFF: bytes += [bit | 126, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)]
        default: bytes += [bit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
        }
        guard let mask else { return bytes + content }
        return bytes + mask + content.enumerated().map { $0.element ^ mask[$0.offset % 4] }
    }

    static func text(_ text: String) -> [UInt8] { bytes(self.text, Array(text.utf8)) }

    static func close(_ code: UInt16) -> [UInt8] { bytes(close, [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)]) }

    /// The status code of a close frame.
    var code: UInt16? {
        first == 0x88 && content.count >= 2 ? UInt16(content[0]) << 8 | UInt16(content[1]) : nil
    }

    var string: String { String(decoding: content, as: UTF8.self) }
}
