import HelioCore

/// Converts X programs' text and HTML to UTF-8 and back.
enum ClipboardEncoding {
    /// Converts ISO 8859-1, the encoding of `STRING`, to UTF-8.
    static func utf8(latin1 bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                text.append(0xC0 | byte >> 6)
                text.append(0x80 | byte & 0x3F)
            }
        }
        return text
    }

    /// Converts UTF-8 to ISO 8859-1; characters that ISO 8859-1 does not have become question marks.
    static func latin1(utf8 bytes: [UInt8]) -> [UInt8] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
    }

    /// Converts HTML to UTF-8: some programs send UTF-16, which is recognised by its byte order mark.
    static func html(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 2 else { return bytes }
        let isLittle = bytes[0] == 0xFF && bytes[1] == 0xFE
        guard isLittle || bytes[0] == 0xFE && bytes[1] == 0xFF else { return bytes }
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
