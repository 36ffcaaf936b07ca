package import HelioCore

/// Decides which messages about the pointer's shape one viewer is sent: each shape once, later only its number, and new
/// shapes at a rate low enough not to disturb video.
///
/// Of several waiting shapes only the newest is sent. A polled message counts as sent.
package struct CursorSender: Sendable {
    package enum Message: Sendable, Hashable {
        /// A shape, with its number if the viewer stores shapes.
        case shape(CursorShape, number: UInt32?)
        /// The shape with this number is shown again.
        case again(UInt32)
    }

    /// The bytes of new shapes that may be sent in a burst.
    static let burst = 1 << 20
    /// The rate of new shapes beyond the burst, 0.26 Mbit/s.
    static let bytesPerSecond = 32 << 10

    /// True if the viewer stores shapes, so that numbers can be sent.
    private(set) var isNaming: Bool
    private var list = CursorList()
    private var newest: CursorShape?
    private var told: CursorShape?
    /// The bytes of new shapes that may be sent now; negative if the last shape was larger than the budget.
    private var left = Double(CursorSender.burst)
    private var since: Instant?
    /// The number of shapes that were never sent, as a newer shape replaced them while they waited.
    package private(set) var skipped = 0

    package init(isNaming: Bool = false) { self.isNaming = isNaming }

    /// Sends shapes with numbers from now on, as the viewer stores shapes.
    package mutating func beginNaming() {
        isNaming = true
        list = CursorList()
    }

    /// Sets the present shape of the pointer, which must fit a message.
    package mutating func show(_ shape: CursorShape) {
        if let newest, newest != told, newest != shape { skipped += 1 }
        newest = shape
    }

    /// Returns the message to send now; `nil` if there is none, or it has to wait until `deadline`.
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

    /// The time at which a waiting shape may be sent; `nil` if no shape waits for the rate limit.
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
