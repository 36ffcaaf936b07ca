/// Base64url without padding (RFC 4648 sections 3.2 and 5), in its one canonical form: padding, whitespace, the letters
/// of plain base64 and stray bits at the end are refused.
package enum Base64URL {
    private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        for (index, byte) in bytes.enumerated() {
            bits = bits << 8 | UInt32(byte)
            switch index % 3 {
            case 0: text.append(alphabet[Int(bits >> 2 & 63)])
            case 1: text.append(alphabet[Int(bits >> 4 & 63)])
            default:
                text.append(alphabet[Int(bits >> 6 & 63)])
                text.append(alphabet[Int(bits & 63)])
            }
        }
        switch bytes.count % 3 {
        case 1: text.append(alphabet[Int(bits << 4 & 63)])
        case 2: text.append(alphabet[Int(bits << 2 & 63)])
        default: break
        }
        return String(decoding: text, as: UTF8.self)
    }

    package static func decode(_ text: String) -> [UInt8]? {
        let count = text.utf8.count
        guard count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count / 4 * 3 + 2)
        var bits: UInt32 = 0
        for (index, character) in text.utf8.enumerated() {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            switch index & 3 {
            case 1: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
            case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
            case 3: bytes.append(UInt8(truncatingIfNeeded: bits))
            default: break
            }
        }
        let unused: UInt32 = count & 3 == 2 ? 0xF : count & 3 == 3 ? 0x3 : 0
        return bits & unused == 0 ? bytes : nil
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) + 4
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
