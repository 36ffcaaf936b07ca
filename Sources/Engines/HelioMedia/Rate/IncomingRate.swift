package import HelioCore
package import HelioRTP

/// Estimates the bandwidth of the path from the peer, for peers that are sent REMB.
package struct IncomingRate: Sendable {
    private var controller: ReceiveRateController
    /// The newest sending time: the value on the wire, which wraps around, and the unwrapped time.
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

    /// Updates the estimate, and returns it. The parameters are those of
    /// ``ReceiveRateController/evaluate(expected:lost:now:)``.
    package mutating func evaluate(expected: Int, lost: Int, now: Instant) -> Bitrate {
        _ = controller.evaluate(expected: expected, lost: lost, now: now)
        return controller.suggestion
    }
}
