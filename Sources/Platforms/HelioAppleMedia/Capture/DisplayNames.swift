internal import Synchronization

/// The names of displays as people know them, which only the main thread can ask for: those that are known so far.
package final class DisplayNames: Sendable {
    private let names = Mutex<[UInt32: String]>([:])

    package init() {}

    /// Takes the names of all displays, by their numbers. Of displays with the same name each gets a number, in order.
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

    /// The name of a display; its number as long as it has none.
    package func name(of number: UInt32) -> String {
        let known = names.withLock { $0[number] } ?? ""
        return known.isEmpty ? "Display \(number)" : known
    }
}
