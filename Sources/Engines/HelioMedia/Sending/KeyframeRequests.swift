package import HelioCore

/// A stream's wish for a keyframe, and when the encoder may be told of it: a storm of requests costs one.
package struct KeyframeRequests: Sendable {
    /// The encoder is asked at most this often.
    private let spacing: Duration
    /// It is asked again when frames come and none of them has been a keyframe for so long; `nil`: once is enough.
    private let patience: Duration?
    private var wish: KeyframeWish?
    private var asked: Instant?

    package init(spacing: Duration = .zero, patience: Duration? = nil) {
        self.spacing = spacing
        self.patience = patience
    }

    package var isEmpty: Bool { wish == nil }

    /// The first reason counts; a newcomer's before all.
    package mutating func ask(_ new: KeyframeWish) {
        if wish == nil || new.isJoin { wish = new }
    }

    /// A frame was left out for want of a keyframe.
    package mutating func missed(now: Instant) {
        guard let patience, asked.map({ now - $0 >= patience }) ?? true else { return }
        ask(KeyframeWish("the encoder has given none"))
    }

    /// A keyframe is on its way, or nobody waits for one.
    package mutating func clear() { wish = nil }

    /// What to tell the encoder now, once.
    package mutating func take(now: Instant) -> KeyframeWish? {
        guard let wish, due.map({ now >= $0 }) ?? true else { return nil }
        self.wish = nil
        asked = now
        return wish
    }

    package var deadline: Deadline? {
        wish == nil ? nil : due.map { Deadline(at: $0, why: "a keyframe is owed") }
    }

    /// `nil`: at once.
    private var due: Instant? { asked.map { $0 + spacing } }
}
