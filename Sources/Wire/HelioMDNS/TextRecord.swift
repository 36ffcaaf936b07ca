private import HelioCore

/// A service's TXT record (RFC 6763 section 6): strings of 0 ... 255 bytes, each preceded by its length:
///
///     +--------+---------------------+--------+---------------------+
///     | length |  key "=" value ...  | length |  key "=" value ...  |
///     +--------+---------------------+--------+---------------------+
///
/// A key is case-insensitive printable ASCII; of several strings with the same key the first counts (section 6.4).
package struct TextRecord: Hashable, Sendable {
    private struct Pair: Hashable {
        /// The key, in lower case.
        var key: String
        /// The value; `nil` if the key stands alone, without "=".
        var value: [UInt8]?

        var string: [UInt8] { Array(key.utf8) + (value.map { [UInt8(ascii: "=")] + $0 } ?? []) }
    }

    /// The maximum size of a record in bytes, so that it fits into one multicast DNS packet (section 6.2).
    package static let maximumSize = 1300
    /// The maximum number of pairs that are read; Heliograph's own record has at most six.
    package static let maximumPairs = 64

    private var pairs: [Pair] = []

    package init() {}

    /// Parses a record; `nil` if a length exceeds the data, or if there are too many bytes or pairs. Skips strings
    /// without a valid key, and keys that occurred before.
    package init?(parsing data: RawSpan) {
        guard data.byteCount <= Self.maximumSize else { return nil }
        var offset = 0
        while let length = data.uint8(at: offset) {
            guard let string = data.bytes(at: offset + 1, count: Int(length)) else { return nil }
            offset += 1 + Int(length)
            let end = string.firstIndex(of: UInt8(ascii: "="))
            guard let key = Self.key(string[..<(end ?? string.endIndex)]), self[key] == nil else { continue }
            guard pairs.count < Self.maximumPairs else { return nil }
            pairs.append(Pair(key: key, value: end.map { Array(string[($0 + 1)...]) }))
        }
    }

    /// The value of a key; empty if the key has no "=", `nil` if it is missing.
    package subscript(_ key: String) -> [UInt8]? {
        pairs.first { $0.key == key.lowercased() }.map { $0.value ?? [] }
    }

    package var count: Int { pairs.count }

    /// Adds a pair, unless the record already has one with this key.
    ///
    /// - Returns: true if the pair was added: the pair has to fit into 255 bytes, and the record into `maximumSize`.
    @discardableResult
    package mutating func append(_ key: String, _ value: [UInt8]) -> Bool {
        guard let key = Self.key(Array(key.utf8)[...]), self[key] == nil, pairs.count < Self.maximumPairs else {
            return false
        }
        let pair = Pair(key: key, value: value)
        guard pair.string.count <= 255, size + 1 + pair.string.count <= Self.maximumSize else { return false }
        pairs.append(pair)
        return true
    }

    /// Serialises the record. Never empty: a record without pairs becomes one empty string (section 6.1).
    package func serialised() -> [UInt8] {
        if pairs.isEmpty { return [0] }
        var bytes: [UInt8] = []
        for pair in pairs {
            bytes.append(UInt8(pair.string.count))
            bytes += pair.string
        }
        return bytes
    }

    private var size: Int { pairs.reduce(0) { $0 + 1 + $1.string.count } }

    private static func key(_ bytes: ArraySlice<UInt8>) -> String? {
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }) else {
            return nil
        }
        return String(decoding: bytes.map(MulticastName.lowercase), as: UTF8.self)
    }
}
