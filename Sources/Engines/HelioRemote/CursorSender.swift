package import HelioCore

/// Decides how one viewer is told of the pointer's shape: each shape once, by its number when it comes again, and new ones
/// no faster than a rate that pictures hardly notice.
///
/// Of several shapes that had to wait only the newest goes. What is polled counts as sent.
package struct CursorSender: Sendable {
    package enum Message: Sendable, Hashable {
        /// A shape, with its number where the viewer keeps shapes.
        case shape(CursorShape, number: UInt32?)
        /// The shape of this number again.
        case again(UInt32)
    }

    /// The bytes of new shapes that may go at once; and the rate after that, which is 0.26 Mbit/s.
    static let burst = 1 << 20
    static let bytesPerSecond = 32 << 10

    /// True where the viewer keeps shapes, and understands a number.
    private(set) var isNaming: Bool
    private var list = CursorList()
    private var newest: CursorShape?
    private var told: CursorShape?
    /// The bytes that may go now; below 0 after a shape that was larger than what was left.
    private var left = Double(CursorSender.burst)
    private var since: Instant?
    /// Shapes that were never sent, as another took their place while they waited.
    package private(set) var skipped = 0

    package init(isNaming: Bool = false) { self.isNaming = isNaming }

    /// The viewer keeps what it is sent from now on.
    package mutating func beginNaming() {
        isNaming = true
        list = CursorList()
    }

    /// Takes the shape that the pointer has now, of no more than a message takes.
    package mutating func show(_ shape: CursorShape) {
        if let newest, newest != told, newest != shape { skipped += 1 }
        newest = shape
    }

    /// The message that may go now; `nil`: there is nothing to tell, or it has to wait until `deadline`.
    package mutating func poll(now: Instant) -> Message? {
        guard let newest, newest != told else { return nil }
        if isNaming, let number = list.number(of: newest) {
            told = newest
            return .again(number)
        }
        refill(now)
        guard left > 0 else { return nil }
        left -= Double(newest.rgba.count)
        told = newest
        return .shape(newest, number: isNaming ? list.add(newest) : nil)
    }

    /// The time at which a shape that waits may go.
    package var deadline: Deadline? {
        guard let since, left <= 0, newest != told else { return nil }
        let wait = -left / Double(Self.bytesPerSecond)
        return Deadline(at: since + .nanoseconds(Int64(wait * 1e9) + 1000), why: "pointer's shape")
    }

    private mutating func refill(_ now: Instant) {
        if let since, now > since {
            left = min(Double(Self.burst), left + (now - since).inSeconds * Double(Self.bytesPerSecond))
        }
        since = max(since ?? now, now)
    }
}
