/// A DNS name in wire format: labels of 1 ... 63 bytes, each preceded by its length, and an empty label at the end (RFC
/// 1035 section 3.1). Names are case-insensitive.
enum MulticastName {
    static let maximumSize = 255
    static let maximumLabel = 63

    /// Writes a name; `nil` if it is not valid.
    static func serialised(_ name: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for label in name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard (1...maximumLabel).contains(label.count) else { return nil }
            bytes.append(UInt8(label.count))
            bytes += label
        }
        bytes.append(0)
        return bytes.count <= maximumSize ? bytes : nil
    }

    static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
