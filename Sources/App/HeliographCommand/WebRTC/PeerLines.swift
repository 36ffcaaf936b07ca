private import Foundation

/// Writes lines of JSON on standard output.
enum PeerLines {
    /// - Parameter values: strings, numbers, booleans, dictionaries of them, and `nil`, which is JSON's null.
    static func say(_ type: String, _ values: [String: Any?] = [:]) {
        var object: [String: Any] = values.mapValues { $0 ?? NSNull() }
        object["type"] = type
        guard
            let data = try? JSONSerialization.data(
                withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        else { return }
        Output.data(String(decoding: data, as: UTF8.self))
    }
}
