import HelioCore
import HelioSimulation

/// The content of a simulated screen: when it changes, and what a picture of it costs.
struct LabContent {
    enum Script: Sendable {
        /// Full motion.
        case video
        /// A page of dense text with typing, starting at `from`: for `active`, then a pause of `rest`.
        case typing(from: Duration, active: Duration, rest: Duration)
        /// A page of dense text that is scrolled for `active`, then still for `rest`.
        case scroll(active: Duration, rest: Duration)
    }

    private let script: Script
    private var random: SeededGenerator
    private var isFirst = true
    private var nextKey: Duration

    init(_ script: Script, seed: UInt64) {
        self.script = script
        random = SeededGenerator(seed: seed)
        nextKey = if case .typing(let from, _, _) = script { from } else { .zero }
    }

    var kind: ModelEncoder.Kind {
        switch script {
        case .video: .video
        case .typing: .typing
        case .scroll: .scroll
        }
    }

    /// Returns whether the picture has changed since the call before; called for each picture that the screen could
    /// show.
    ///
    /// - Parameter time: the time since the beginning.
    mutating func changes(at time: Duration) -> Bool {
        // Before the first call, no picture was shown at all.
        defer { isFirst = false }
        switch script {
        case .video: return true
        case .scroll(let active, let rest):
            return isFirst || time.nanoseconds % (active + rest).nanoseconds < active.nanoseconds
        case .typing(let from, let active, let rest):
            guard time >= nextKey else { return isFirst }
            // 80 to 300 ms between keys: about sixty words a minute.
            nextKey = time + .milliseconds(Int64.random(in: 80...300, using: &random))
            let period = (active + rest).nanoseconds
            let place = (nextKey - from).nanoseconds % period
            if place >= active.nanoseconds { nextKey = nextKey + .nanoseconds(period - place) }
            return true
        }
    }
}
