import DequeModule
import HelioCore

/// A TCP connection between two simulated peers: in order, complete, with a fixed delay, and split into pieces.
final class ReliablePipe {
    struct Item {
        var at: Instant
        var bytes: [UInt8]?
    }

    var delay = Duration.milliseconds(1)
    /// The bitrate to the viewer; `nil` is unlimited, and the system accepts written bytes at once.
    var rate: Bitrate?
    /// The bytes for the viewer that the system buffers ahead of the network.
    private static let systemBuffer = 16 << 10
    private var toHost = Deque<Item>()
    private var toViewer = Deque<Item>()
    /// When the network has transmitted all bytes written for the viewer.
    private var isFree = Instant.zero
    /// The times at which the system accepts bytes, with their number.
    private var taken = Deque<(at: Instant, count: Int)>()
    /// True if sent bytes are lost for good, as when a cable is pulled.
    var isCut = false

    func sendToHost(_ bytes: [UInt8]?, now: Instant) { send(bytes, now + delay, &toHost) }

    func sendToViewer(_ bytes: [UInt8]?, now: Instant) {
        guard let rate, let count = bytes?.count else { return send(bytes, max(now, isFree) + delay, &toViewer) }
        func time(_ bytes: Int) -> Duration { .seconds(Double(bytes) * 8 / Double(rate.bitsPerSecond)) }
        isFree = max(now, isFree) + time(count)
        taken.append((max(now, isFree - time(Self.systemBuffer)), count))
        send(bytes, isFree + delay, &toViewer)
    }

    private func send(_ bytes: [UInt8]?, _ at: Instant, _ queue: inout Deque<Item>) {
        if isCut { return }
        // Pieces of 61 bytes: messages never arrive whole. Media uses larger pieces to save time.
        let piece = bytes?.first == UInt8(ascii: "$") ? 997 : 61
        var rest = bytes?[...] ?? []
        while rest.count > piece {
            queue.append(Item(at: at, bytes: Array(rest.prefix(piece))))
            rest = rest.dropFirst(piece)
        }
        queue.append(Item(at: at, bytes: bytes == nil ? nil : Array(rest)))
    }

    /// The next arrived item; its bytes are `nil` if the connection was closed.
    func nextForHost(now: Instant) -> Item? { next(&toHost, now) }
    func nextForViewer(now: Instant) -> Item? { next(&toViewer, now) }
    /// The number of bytes of one write for the viewer that the system has accepted by now.
    func nextTaken(now: Instant) -> Int? {
        guard let first = taken.first, first.at <= now else { return nil }
        return taken.removeFirst().count
    }

    var hostDeadline: Deadline? {
        .earliest(
            toHost.first.map { Deadline(at: $0.at, why: "bytes for the host") },
            taken.first.map { Deadline(at: $0.at, why: "the system takes bytes") })
    }
    var viewerDeadline: Deadline? { toViewer.first.map { Deadline(at: $0.at, why: "bytes for the viewer") } }

    private func next(_ queue: inout Deque<Item>, _ now: Instant) -> Item? {
        guard let first = queue.first, first.at <= now else { return nil }
        return queue.removeFirst()
    }
}
