package import HelioCore
package import HelioRTP

/// An estimate of what the path from the peer carries, for peers that are told so (REMB).
package struct IncomingRate: Sendable {
    private var controller: ReceiveRateController
    /// The newest sending time, and the same on a clock that does not wrap.
    private var last: (ticks: AbsoluteSendTime, at: Instant)?

    package init(most: Bitrate) { controller = ReceiveRateController(configuration: .init(most: most)) }

    package mutating func note(size: Int, sent: AbsoluteSendTime?, arrival: Instant) {
        var at: Instant?
        if let sent {
            let instant = last.map { $0.at + sent.since($0.ticks) } ?? arrival
            last = (sent, instant)
            at = instant
        }
        controller.received(bytes: size, sent: at, arrival: arrival)
    }

    /// - Parameters: as ``ReceiveRateController/evaluate(expected:lost:now:)`` has them.
    package mutating func evaluate(expected: Int, lost: Int, now: Instant) -> Bitrate {
        _ = controller.evaluate(expected: expected, lost: lost, now: now)
        return controller.suggestion
    }
}
