import HelioCore

/// The fields of an authentication header: `SCHEME name="value", name="value"`.
enum HeaderFields {
    /// The maximum length of a header that is parsed, in bytes; all headers of this protocol are shorter.
    private static let longest = 512

    static func write(_ scheme: String, _ fields: [(name: String, value: String)]) -> String {
        scheme + " " + fields.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ", ")
    }

    /// Parses the fields. Returns `nil` if the header has another scheme, is too long or malformed.
    static func parse(_ value: String, scheme: String) -> [String: String]? {
        guard value.utf8.count <= longest, value.hasPrefix(scheme + " ") else { return nil }
        var fields: [String: String] = [:]
        for part in value.dropFirst(scheme.count + 1).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            let name = pair[0].filter { $0 != " " }
            fields[String(name)] = pair[1].filter { $0 != "\"" && $0 != " " }
        }
        return fields
    }

    /// Decodes hexadecimal text of at most 64 bytes, as no nonce, proof, ticket or name is longer.
    static func bytes(_ hex: String) -> [UInt8]? { Hexadecimal.bytes(hex, limit: 64) }

    /// Decodes hexadecimal text. Returns `nil` unless it encodes exactly `count` bytes.
    static func bytes(_ hex: String?, count: Int) -> [UInt8]? {
        hex.flatMap(bytes).flatMap { $0.count == count ? $0 : nil }
    }
}
