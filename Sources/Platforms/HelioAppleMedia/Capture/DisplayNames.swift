internal import Synchronization

/// A cache of the displays' human-readable names, for any thread, as only the main thread can query the system for
/// them.
package final class DisplayNames: Sendable {
    private let names = Mutex<[UInt32: String]>([:])

    package init() {}

    /// Sets the names of all displays, by their display numbers. From the second display of the same name on, a counter
    /// is appended: 'Name (2)'.
    package func set(_ all: [(number: UInt32, name: String)]) {
        var seen: [String: Int] = [:]
        var named: [UInt32: String] = [:]
        for (number, name) in all {
            let count = seen[name, default: 0] + 1
            seen[name] = count
            named[number] = count == 1 ? name : "\(name) (\(count))"
        }
        names.withLock { [named] in $0 = named }
    }

    /// Returns the name of a display, or 'Display' and its number if the name is not known.
    package func name(of number: UInt32) -> String {
        let known = names.withLock { $0[number] } ?? ""
        return known.isEmpty ? "Display \(number)" : known
    }
}
