package import HelioCore

/// The way to a keyframe that a viewer waits for.
///
/// An encoder codes a requested keyframe with its next input, and a still screen gives none. So the request is followed
/// by stronger steps while no keyframe comes: the display is drawn into the encoder again, then the encoder is started
/// anew.
package struct KeyframeDemand: Sendable {
    /// A step to a keyframe, the weakest first.
    package enum Step: Sendable, Hashable, CaseIterable {
        /// `MediaCodec.setParameters`.
        case request
        case resurface
        case restart
    }

    /// The time that each step gets before the next one.
    package static let patience: [Step: Duration] = [
        .request: .milliseconds(100), .resurface: .milliseconds(300), .restart: .seconds(2),
    ]
    /// The shortest time between two requests that viewers cause.
    package static let interval = Duration.milliseconds(100)

    private var step: Step?
    private var next: Instant?
    private var lastRequest: Instant?
    /// Restarts one after the other: each waits twice as long, as the phone's screen may be off.
    private var restarts = 0

    package init() {}

    /// True while a keyframe is awaited.
    package var isPending: Bool { next != nil }

    package var deadline: Deadline? { next.map { Deadline(at: $0, why: "keyframe") } }

    /// A viewer needs a keyframe. While one is awaited already, that one serves both.
    package mutating func ask(now: Instant) {
        guard next == nil else { return }
        let earliest = lastRequest.map { $0 + Self.interval } ?? now
        (step, next) = (nil, max(now, earliest))
    }

    /// The step that is due; `nil` if none is.
    package mutating func take(now: Instant) -> Step? {
        guard let due = next, now >= due else { return nil }
        let step: Step =
            switch step {
            case nil: .request
            case .request: .resurface
            case .resurface, .restart: .restart
            }
        if step == .restart { restarts += 1 }
        self.step = step
        lastRequest = now
        next = now + wait(for: step)
        return step
    }

    /// A keyframe has come.
    package mutating func arrived() { (step, next, restarts) = (nil, nil, 0) }

    /// A new encoder starts with a keyframe by itself: it gets the time of a restart for that.
    package mutating func restarted(now: Instant) {
        step = .restart
        next = now + wait(for: .restart)
    }

    private func wait(for step: Step) -> Duration { (Self.patience[step] ?? .seconds(2)) * (1 << min(restarts, 4)) }
}
