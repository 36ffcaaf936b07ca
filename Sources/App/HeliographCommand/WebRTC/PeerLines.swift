private import Foundation

/// Writes lines of JSON to standard output.
enum PeerLines {
    /// - Parameter values: strings, numbers, booleans, dictionaries of these, or `nil`, which becomes `null`.
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
