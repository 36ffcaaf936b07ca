internal import Synchronization

/// The known names of displays, as people see them; only the main thread can ask the system for them.
package final class DisplayNames: Sendable {
    private let names = Mutex<[UInt32: String]>([:])

    package init() {}

    /// Sets the names of all displays, by their numbers. Further displays of the same name get a number, in order.
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

    /// The name of a display, or its number while it has none.
    package func name(of number: UInt32) -> String {
        let known = names.withLock { $0[number] } ?? ""
        return known.isEmpty ? "Display \(number)" : known
    }
}
