internal import DequeModule
import HelioCore

/// Distinguishes loss by congestion from the path's own loss, which does not depend on the sending rate.
///
/// A radio that loses every twentieth packet does so at every sending rate; a full queue loses only the excess. So the
/// lowest loss among recent measuring periods (terms) counts as the path's own, and only loss in excess of it as
/// congestion.
struct LossJudge: Sendable {
    /// The minimum duration and number of packets of a span: the packets whose loss is judged together.
    private static let leastSpan = Duration.milliseconds(250)
    private static let leastPackets = 30
    /// The minimum duration and number of packets of a term: the packets by which the path's own loss is estimated. A
    /// term is longer than a span, so that the lowest loss of several terms is not mere chance.
    private static let leastTerm = Duration.seconds(1)
    private static let leastTermPackets = 150
    /// The number of terms remembered; the lowest loss among them counts as the path's loss without congestion.
    private static let memory = 5
    /// The loss that counts as a new path's own, and not as congestion, until its first term has ended.
    private static let trial = 0.2

    /// The maximum loss that counts as the path's own.
    private static let worst = 0.5

    /// Packets expected and lost since `begun`.
    private struct Count {
        var begun: Instant
        var expected = 0
        var lost = 0

        var loss: Double { expected == 0 ? 0 : Double(max(0, lost)) / Double(expected) }
    }

    /// The loss of the newest span, 0...1.
    private(set) var loss = 0.0
    private var span: Count?
    private var term: Count?
    private var terms = Deque<Double>()

    /// The path's own loss, which does not depend on the sending rate, 0...1.
    var inherent: Double { min(Self.worst, terms.min() ?? 0) }

    /// Records the packets reported by one feedback packet.
    ///
    /// - Returns: true if a span has ended whose loss is clearly above the path's own.
    mutating func take(expected: Int, lost: Int, now: Instant) -> Bool {
        note(expected, lost, in: &term, now)
        note(expected, lost, in: &span, now)
        let own = terms.isEmpty ? Self.trial : inherent
        if let term, now - term.begun >= Self.leastTerm, term.expected >= Self.leastTermPackets {
            terms.append(term.loss)
            if terms.count > Self.memory { terms.removeFirst() }
            self.term = nil
        }
        guard let span, now - span.begun >= Self.leastSpan, span.expected >= Self.leastPackets else { return false }
        self.span = nil
        loss = span.loss
        // Three standard deviations of the path's own loss, measured over the span's number of packets.
        let chance = 3 * (max(own, 0.01) * (1 - own) / Double(span.expected)).squareRoot()
        return loss > own + max(0.03, chance)
    }

    /// Clears the loss of the newest span, once the rate has been lowered for it.
    mutating func forgive() { loss = inherent }

    private func note(_ expected: Int, _ lost: Int, in count: inout Count?, _ now: Instant) {
        var open = count ?? Count(begun: now)
        open.expected += expected
        open.lost += lost
        count = open
    }
}
