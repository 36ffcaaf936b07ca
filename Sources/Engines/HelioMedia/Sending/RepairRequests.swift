package import HelioCore

/// A stream's pending request for a repair picture, and when the encoder may be told of it: a storm of requests costs
/// no more pictures than there are round trips.
///
/// It is told again and again until a picture comes that helps; where none does for a second, only a keyframe can.
package struct RepairRequests: Sendable {
    /// The least time between two requests to the encoder, however short the round trip.
    private static let leastSpacing = Duration.milliseconds(80)
    /// The time without help after which a keyframe is better, and that in round trips.
    private static let patience = Duration.seconds(1)
    private static let patienceRoundTrips = 5

    private var wishes = PictureWishes()
    private var asked: Instant?
    /// When the encoder was first told of the present request.
    private var begun: Instant?

    package init() {}

    package var isEmpty: Bool { wishes.isEmpty }
    /// The index of the last frame that the peer has whole, where it lacks others.
    package var since: UInt64? { wishes.repair?.since }

    package mutating func ask(_ new: RepairWish) { wishes.ask(new) }

    /// Drops the request: a picture that helps is on its way, or nobody waits for one.
    package mutating func clear() {
        wishes.clear()
        begun = nil
    }

    /// Takes the request that the encoder is to get now; it stays pending.
    package mutating func poll(roundTrip: Duration?, now: Instant) -> RepairWish? {
        guard let wish = wishes.repair, due(roundTrip).map({ now >= $0 }) ?? true else { return nil }
        asked = now
        if begun == nil { begun = now }
        return wish
    }

    /// Returns whether the encoder has been told for so long that a repair does not seem to come.
    package func isHopeless(roundTrip: Duration?, now: Instant) -> Bool {
        guard let begun else { return false }
        return now - begun >= max(Self.patience, (roundTrip ?? .zero) * Self.patienceRoundTrips)
    }

    package func deadline(roundTrip: Duration?) -> Deadline? {
        isEmpty ? nil : due(roundTrip).map { Deadline(at: $0, why: "a repair is owed") }
    }

    /// The time at which the encoder may be told; `nil`: at once.
    private func due(_ roundTrip: Duration?) -> Instant? {
        asked.map { $0 + max(Self.leastSpacing, (roundTrip ?? .zero) * 5 / 4) }
    }
}
