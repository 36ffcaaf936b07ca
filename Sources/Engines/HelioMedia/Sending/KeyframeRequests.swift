package import HelioCore

/// A stream's pending keyframe request, with a limit on how often it is passed to the encoder: many requests in a short
/// time cost one keyframe.
package struct KeyframeRequests: Sendable {
    /// The minimum time between two requests to the encoder.
    private let spacing: Duration
    /// The time after which a request is repeated if the encoder outputs other frames but no keyframe; `nil`: requests
    /// are not repeated.
    private let patience: Duration?
    private var wishes = PictureWishes()
    private var asked: Instant?

    package init(spacing: Duration = .zero, patience: Duration? = nil) {
        self.spacing = spacing
        self.patience = patience
    }

    package var isEmpty: Bool { wishes.isEmpty }

    package mutating func ask(_ new: KeyframeWish) { wishes.ask(new) }

    /// Notes that a frame was dropped because a keyframe is awaited.
    package mutating func missed(now: Instant) {
        guard let patience, asked.map({ now - $0 >= patience }) ?? true else { return }
        ask(KeyframeWish("the encoder has given none"))
    }

    /// Drops the request: a keyframe is on its way, or nobody waits for one.
    package mutating func clear() { wishes.clear() }

    /// Returns the request to pass to the encoder now, and clears it; `nil` if none is due.
    package mutating func poll(now: Instant) -> KeyframeWish? {
        guard let wish = wishes.keyframe, due.map({ now >= $0 }) ?? true else { return nil }
        wishes.clear()
        asked = now
        return wish
    }

    package var deadline: Deadline? {
        isEmpty ? nil : due.map { Deadline(at: $0, why: "a keyframe is owed") }
    }

    /// The time at which the next request may be passed to the encoder; `nil`: at once.
    private var due: Instant? { asked.map { $0 + spacing } }
}
