/// A WebSocket frame (RFC 6455, section 5.2) without checks: invalid ones can be sent as well.
struct WebSocketFrame {
    static let text: UInt8 = 1
    static let binary: UInt8 = 2
    static let close: UInt8 = 8
    static let ping: UInt8 = 9
    static let pong: UInt8 = 10

    var isFinal = true
    var opcode: UInt8
    var payload: [UInt8]

    init(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) {
        self.opcode = opcode
        self.payload = payload
        self.isFinal = isFinal
    }

    init(reading stream: ByteStream) throws {
        let head = try stream.read(2)
        isFinal = head[0] & 0x80 != 0
        opcode = head[0] & 0x0F
        var length = Int(head[1] & 0x7F)
        if length > 125 {
            length = try stream.read(length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
        }
        let mask = head[1] & 0x80 == 0 ? nil : try stream.read(4)
        payload = try stream.read(length)
        if let mask { for i in payload.indices { payload[i] ^= mask[i & 3] } }
    }

    /// - Parameter masked: whether to mask, as a client must; the mask is all zeros, which is sufficient on loopback.
    func bytes(masked: Bool) -> [UInt8] {
        let bit: UInt8 = masked ? 0x80 : 0
        var bytes = [(isFinal ? 0x80 : 0) | opcode]
        switch payload.count {
        case ..<126: bytes.append(bit | UInt8(payload.count))
        case ..<65536: bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [bit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        return bytes + (masked ? [0, 0, 0, 0] : []) + payload
    }
}
