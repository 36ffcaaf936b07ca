#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

extension Encodable {
    /// The value as one line of JSON, with sorted keys. Throws the encoder's error for values that JSON can't
    /// represent, such as an infinite number.
    package func jsonLine() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
