import CWayland

/// A pipe by which another program sends content; its ends are closed by whoever takes them.
package struct WaylandPipe {
    /// The end to read from, which does not block.
    package let readEnd: Int32
    package let writeEnd: Int32

    /// `nil` if this process has no file descriptor left.
    package init?() {
        var ends: [Int32] = [-1, -1]
        guard helio_wayland_pipe(&ends) == 0 else { return nil }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }
}
