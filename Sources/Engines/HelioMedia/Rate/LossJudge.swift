internal import DequeModule
import HelioCore

/// Tells the loss that more data causes from the loss that the path has whatever is sent.
///
/// A radio that loses every twentieth packet does so at any rate; a full queue loses only what is too much. So what the
/// path has lost at its best lately is taken for its own, and only more than that for congestion.
struct LossJudge: Sendable {
    /// The least time and number of packets that are judged together.
    private static let leastSpan = Duration.milliseconds(250)
    private static let leastPackets = 30
    /// The least time and number of packets of which the path's own loss is told: more, as the least of several is to
    /// be no mere chance.
    private static let leastTerm = Duration.seconds(1)
    private static let leastTermPackets = 150
    /// The terms whose least loss is the path's own.
    private static let memory = 5
    /// The loss of a new path that is not taken for congestion until a term has ended.
    private static let trial = 0.2

    /// The most that is taken for a path's own.
    private static let worst = 0.5

    /// A time over which packets are counted.
    private struct Count {
        var begun: Instant
        var expected = 0
        var lost = 0

        var loss: Double { expected == 0 ? 0 : Double(max(0, lost)) / Double(expected) }
    }

    /// The share of the newest span that was lost, 0...1.
    private(set) var loss = 0.0
    private var span: Count?
    private var term: Count?
    private var terms = Deque<Double>()

    /// The share that the path loses whatever is sent.
    var inherent: Double { min(Self.worst, terms.min() ?? 0) }

    /// Takes the packets of a feedback.
    ///
    /// - Returns: true where a span has ended in which more was lost than the path's own.
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
        // Three times the spread that so few packets have by chance.
        let chance = 3 * (max(own, 0.01) * (1 - own) / Double(span.expected)).squareRoot()
        return loss > own + max(0.03, chance)
    }

    /// Forgets the newest span, once it has been answered for.
    mutating func forgive() { loss = inherent }

    private func note(_ expected: Int, _ lost: Int, in count: inout Count?, _ now: Instant) {
        var open = count ?? Count(begun: now)
        open.expected += expected
        open.lost += lost
        count = open
    }
}
