import Foundation

/// A process and all that it has started: a browser is ten.
package enum ProcessTree {
    /// Ends it at once, and what it has started, also where it is gone itself.
    ///
    /// - Parameter root: leads a group of its own, as everything does that Foundation starts.
    package static func kill(_ root: Int32) {
        // It was never started: 0 is whoever asks.
        guard root > 1 else { return }
        // Who leads a group of his own is found while his parent lives.
        for process in descendants(of: root) + [root] { Foundation.kill(process, SIGKILL) }
        Foundation.kill(-root, SIGKILL)
    }

    /// Those of it that are still there, and those of its group whose parent is gone.
    package static func living(_ root: Int32) -> [Int32] {
        let members = all().filter { $0.group == root || $0.process == root }.map(\.process)
        return Array(Set(members + descendants(of: root)))
    }

    private static func descendants(of root: Int32) -> [Int32] {
        let children = Dictionary(grouping: all(), by: \.parent)
        var found: [Int32] = []
        var open = [root]
        while let parent = open.popLast() {
            let next = (children[parent] ?? []).map(\.process)
            found += next
            open += next
        }
        return found
    }

    private static func all() -> [(process: Int32, parent: Int32, group: Int32)] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { name in
            guard let process = Int32(name),
                let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
                // A program's name may hold anything: what follows is after its last bracket.
                let end = text.lastIndex(of: ")")
            else { return nil }
            let fields = text[text.index(after: end)...].split(separator: " ")
            guard fields.count > 2, fields[0] != "Z", let parent = Int32(fields[1]), let group = Int32(fields[2])
            else { return nil }
            return (process, parent, group)
        }
    }
}
