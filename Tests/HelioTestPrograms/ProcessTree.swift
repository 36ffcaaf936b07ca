import Foundation

/// A process with all its descendants: a browser has about ten.
package enum ProcessTree {
    /// Kills a process and its descendants, even if the process itself has exited.
    ///
    /// - Parameter root: the leader of its own process group, as every process started by Foundation is.
    package static func kill(_ root: Int32) {
        // The process was never started: kill(0) would hit the caller's group.
        guard root > 1 else { return }
        // A descendant with its own process group can be found only while its parent exists.
        for process in descendants(of: root) + [root] { Foundation.kill(process, SIGKILL) }
        Foundation.kill(-root, SIGKILL)
    }

    /// The process and its descendants that still exist, including members of its group whose parent has exited.
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
                // A program's name may contain any characters: the fields follow its last bracket.
                let end = text.lastIndex(of: ")")
            else { return nil }
            let fields = text[text.index(after: end)...].split(separator: " ")
            guard fields.count > 2, fields[0] != "Z", let parent = Int32(fields[1]), let group = Int32(fields[2])
            else { return nil }
            return (process, parent, group)
        }
    }
}
