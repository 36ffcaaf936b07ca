internal import DequeModule
import HelioCore

/// The pacing of a link with a width: control first, then the stream and media in turn. What does not fit is dropped.
struct WidthPacer: Sendable {
    /// The time that a full queue of media takes. Media older than this is useless, as the rate adapts.
    private static let mediaTime = 0.15
    private static let controlLimit = 32 * 1024

    private(set) var width: Bitrate
    private var control = Deque<[UInt8]>()
    private var controlBytes = 0
    private var media = Deque<[UInt8]>()
    private var mediaBytes = 0
    /// The number of bytes that may be sent now; negative after probes and after a whole datagram.
    private var credit: Double
    private var refilled: Instant
    /// True after a packet of the stream, so that media has the next turn.
    private var isMediaTurn = false
    /// True if the stream found no credit.
    private var isStreamHeld = false

    init(_ width: Bitrate, now: Instant) {
        self.width = Bitrate(bitsPerSecond: max(width.bitsPerSecond, 8000))
        refilled = now
        credit = 0
        credit = burst
    }

    private var bytesPerSecond: Double { Double(width.bitsPerSecond) / 8 }
    private var burst: Double { max(3000, bytesPerSecond * 0.02) }
    private var mediaLimit: Int { max(6000, Int(bytesPerSecond * Self.mediaTime)) }

    mutating func setWidth(_ width: Bitrate) {
        self.width = Bitrate(bitsPerSecond: max(width.bitsPerSecond, 8000))
    }

    mutating func refill(_ now: Instant) {
        guard now > refilled else { return }
        credit = min(burst, credit + (now - refilled).inSeconds * bytesPerSecond)
        refilled = now
        if credit > 0 { isStreamHeld = false }
    }

    /// Counts a datagram that was sent at once.
    mutating func spend(_ bytes: Int) { credit -= Double(bytes) }

    /// Queues a datagram; returns the reason if it is dropped.
    mutating func add(_ frame: [UInt8], _ purpose: DatagramClass) -> LinkDrop? {
        switch purpose {
        case .control:
            guard controlBytes + frame.count <= Self.controlLimit else { return .controlBeyondWidth }
            control.append(frame)
            controlBytes += frame.count
        case .media:
            guard mediaBytes + frame.count <= mediaLimit else { return .mediaBeyondWidth }
            media.append(frame)
            mediaBytes += frame.count
        }
        return nil
    }

    /// The next datagram of control that may be sent now.
    mutating func nextControl() -> [UInt8]? {
        guard credit > 0, let frame = control.popFirst() else { return nil }
        controlBytes -= frame.count
        spend(frame.count)
        return frame
    }

    /// True if the stream may send a packet now. The packet is counted by `spendOnStream`.
    mutating func allowsStream() -> Bool {
        guard control.isEmpty, credit > 0 else {
            isStreamHeld = true
            return false
        }
        return !isMediaTurn || media.isEmpty
    }

    mutating func spendOnStream(_ bytes: Int) {
        spend(bytes)
        isMediaTurn = true
    }

    mutating func nextMedia() -> [UInt8]? {
        guard credit > 0, control.isEmpty, let frame = media.popFirst() else { return nil }
        mediaBytes -= frame.count
        spend(frame.count)
        isMediaTurn = false
        return frame
    }

    /// Empties the queues; returns the numbers of datagrams of control and media that were in them.
    mutating func clear() -> (control: Int, media: Int) {
        defer {
            control.removeAll()
            media.removeAll()
            controlBytes = 0
            mediaBytes = 0
        }
        return (control.count, media.count)
    }

    /// The time at which something that waits may be sent; `nil` if nothing waits.
    var deadline: Instant? {
        guard !control.isEmpty || !media.isEmpty || isStreamHeld else { return nil }
        guard credit <= 0 else { return refilled }
        // One byte more, so that the credit is positive despite rounding.
        return refilled + .nanoseconds(Int64((1 - credit) / bytesPerSecond * 1e9))
    }
}
