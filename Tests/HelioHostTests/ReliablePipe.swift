import HelioCore

/// A TCP connection between two simulated peers: in order, whole, a fixed time under way, cut into odd pieces.
final class ReliablePipe {
    struct Item {
        var at: Instant
        var bytes: [UInt8]?
    }

    static let delay = Duration.milliseconds(1)
    private var toHost: [Item] = []
    private var toViewer: [Item] = []
    /// While set, what is sent is lost for good, as when a cable is pulled.
    var isCut = false

    func sendToHost(_ bytes: [UInt8]?, now: Instant) { send(bytes, now, &toHost) }
    func sendToViewer(_ bytes: [UInt8]?, now: Instant) { send(bytes, now, &toViewer) }

    private func send(_ bytes: [UInt8]?, _ now: Instant, _ queue: inout [Item]) {
        if isCut { return }
        // Pieces of 61 bytes: messages never come whole.
        var rest = bytes?[...] ?? []
        while rest.count > 61 {
            queue.append(Item(at: now + Self.delay, bytes: Array(rest.prefix(61))))
            rest = rest.dropFirst(61)
        }
        queue.append(Item(at: now + Self.delay, bytes: bytes == nil ? nil : Array(rest)))
    }

    /// The next that has arrived; its bytes are `nil` where the connection was closed.
    func nextForHost(now: Instant) -> Item? { next(&toHost, now) }
    func nextForViewer(now: Instant) -> Item? { next(&toViewer, now) }
    var hostDeadline: Deadline? { toHost.first.map { Deadline(at: $0.at, why: "bytes for the host") } }
    var viewerDeadline: Deadline? { toViewer.first.map { Deadline(at: $0.at, why: "bytes for the viewer") } }

    private func next(_ queue: inout [Item], _ now: Instant) -> Item? {
        guard let first = queue.first, first.at <= now else { return nil }
        return queue.removeFirst()
    }
}
