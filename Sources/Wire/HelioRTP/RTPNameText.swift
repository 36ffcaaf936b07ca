import HelioCore

/// The text of names in header extensions: visible ASCII, 1 to 255 bytes.
enum RTPNameText {
    static func read(_ data: RawSpan) -> String? {
        guard (1...255).contains(data.byteCount), let bytes = data.bytes(at: 0, count: data.byteCount),
            bytes.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
