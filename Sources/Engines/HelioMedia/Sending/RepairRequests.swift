package import HelioCore

/// A stream's pending request for a repair picture, with a limit on how often it is passed to the encoder: any number
/// of requests costs at most one picture per round trip.
///
/// The request is repeated until a picture that answers it begins. If none begins for a second or longer (`patience`),
/// a keyframe is needed.
package struct RepairRequests: Sendable {
    /// The minimum time between two requests to the encoder, however short the round trip.
    private static let leastSpacing = Duration.milliseconds(80)
    /// The time to wait for a repair picture before a keyframe is requested: the longer of this time and this number of
    /// round trips.
    private static let patience = Duration.seconds(1)
    private static let patienceRoundTrips = 5

    private var wishes = PictureWishes()
    private var asked: Instant?
    /// The time at which the encoder was first given the present request.
    private var begun: Instant?

    package init() {}

    package var isEmpty: Bool { wishes.isEmpty }
    /// The index of the last frame that the peer has complete, while a repair is requested; otherwise `nil`.
    package var since: UInt64? { wishes.repair?.since }

    package mutating func ask(_ new: RepairWish) { wishes.ask(new) }

    /// Drops the request: a picture that helps is on its way, or is no longer needed.
    package mutating func clear() {
        wishes.clear()
        begun = nil
    }

    /// Returns the request to pass to the encoder now, or `nil` if none is due. The request stays pending.
    package mutating func poll(roundTrip: Duration?, now: Instant) -> RepairWish? {
        guard let wish = wishes.repair, due(roundTrip).map({ now >= $0 }) ?? true else { return nil }
        asked = now
        if begun == nil { begun = now }
        return wish
    }

    /// Returns whether the encoder has had the request for so long that a repair is unlikely.
    package func isHopeless(roundTrip: Duration?, now: Instant) -> Bool {
        guard let begun else { return false }
        return now - begun >= max(Self.patience, (roundTrip ?? .zero) * Self.patienceRoundTrips)
    }

    package func deadline(roundTrip: Duration?) -> Deadline? {
        isEmpty ? nil : due(roundTrip).map { Deadline(at: $0, why: "a repair is owed") }
    }

    /// The time at which the next request may be passed to the encoder; `nil`: at once.
    private func due(_ roundTrip: Duration?) -> Instant? {
        asked.map { $0 + max(Self.leastSpacing, (roundTrip ?? .zero) * 5 / 4) }
    }
}
