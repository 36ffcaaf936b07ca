private import Foundation
private import Synchronization

/// Prints lines of JSON on standard output, each whole, whichever task writes.
enum PeerLines {
    private static let lock = Mutex(())

    /// - Parameter values: strings, numbers, booleans, dictionaries of them, and `nil`, which is JSON's null.
    static func say(_ type: String, _ values: [String: Any?] = [:]) {
        var object: [String: Any] = values.mapValues { $0 ?? NSNull() }
        object["type"] = type
        guard
            let data = try? JSONSerialization.data(
                withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        else { return }
        lock.withLock { _ in FileHandle.standardOutput.write(data + [UInt8(ascii: "\n")]) }
    }
}
