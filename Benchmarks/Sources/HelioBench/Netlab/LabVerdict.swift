import HelioBudgets
import HelioCore

/// Whether a run met a requirement, with the figure.
struct LabVerdict {
    let isMet: Bool
    /// The figure and its bound as text.
    let text: String

    private init(_ what: String, _ value: Double, atMost most: Double, _ unit: String = "") {
        isMet = value <= most
        text = "\(what) \(Self.number(value))\(unit), at most \(Self.number(most))\(unit)"
    }

    private init(_ what: String, _ value: Double, atLeast least: Double, _ unit: String = "") {
        isMet = value >= least
        text = "\(what) \(Self.number(value))\(unit), at least \(Self.number(least))\(unit)"
    }

    private init(_ what: String, _ value: Double, in bounds: ClosedRange<Double>) {
        isMet = bounds.contains(value)
        text = "\(what) \(Self.number(value)), \(Self.number(bounds.lowerBound)) to \(Self.number(bounds.upperBound))"
    }

    /// Evaluates a requirement for a run.
    init(_ requirement: LabRequirement, _ outcome: LabOutcome) {
        let figures = outcome.figures
        let second = Duration.seconds(1)
        switch requirement {
        case .utilisation(let least): self.init("utilisation", figures.utilisation, atLeast: least)
        case .queue(let most): self.init("queue", figures.longQueue, atMost: most.milliseconds, " ms")
        case .frozen(let most): self.init("frozen", figures.frozenShare * 100, atMost: most * 100, " %")
        case .firstPicture(let most):
            self.init("first picture", figures.firstPicture, atMost: most.milliseconds, " ms")
        case .keystroke(let most):
            self.init("from a key to its picture", outcome.changeDelay, atMost: most.milliseconds, " ms")
        case .latency(let most):
            self.init("from capture to picture", outcome.pictureDelay, atMost: most.milliseconds, " ms")
        case .overshoot(let most, let time):
            self.init("sent in a second, of the capacity", outcome.overshoot(after: time), atMost: most)
        case .rateDown(let at, let time):
            let rate = outcome.target(from: at + time, for: second)
            let capacity = outcome.network.capacity(at: at + time)
            self.init("rate after the fall", rate / 1e6, atMost: capacity * 1.1 / 1e6, " Mbit/s")
        case .drained(let at, let time, let wait):
            let waits = outcome.waits(from: at + time, for: second)
            // If no packets leave the queue any more, it was not drained.
            let queue = waits.isEmpty ? Double.infinity : LabOutcome.percentile(95, of: waits)
            self.init("queue after the fall", min(queue, 1e6), atMost: wait.milliseconds, " ms")
        case .rateBack(let former, let from, let time, let share):
            let before = outcome.target(from: former - .seconds(3), for: .seconds(3))
            let after = outcome.target(from: from + time, for: second)
            self.init("share of the rate that is back", after / max(1, before), atLeast: share)
        case .share(let bounds, let time):
            self.init("share of the first flow", outcome.share(after: time), in: bounds)
        case .rateOfReference(let least):
            let share = outcome.figures.delivered / max(1, outcome.reference?.delivered ?? .infinity)
            self.init("rate, of that without jitter", share, atLeast: least)
        case .delayOverReference(let most):
            let added = outcome.pictureDelay - (outcome.reference?.pictureDelay ?? 0)
            self.init("added delay", max(0, added), atMost: most.milliseconds, " ms")
        }
    }

    private static func number(_ value: Double) -> String { Table.decimal(value, digits: 2) }
}
