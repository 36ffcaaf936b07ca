package import HelioCore

extension SCTPAssociation {
    /// Continues on another path, or on the same path after an interruption. The owner has to direct all further
    /// packets there.
    ///
    /// The congestion window and the retransmission timeout start again, as the new path's capacity and round trip are
    /// unknown (RFC 9260 sections 6.4.1 and 7.2.1: both are kept per destination).
    ///
    /// - Parameters:
    ///   - isLossy: true if what is in flight was probably lost with the old path. All unacknowledged chunks are then
    ///     sent again at once, as are control chunks and the handshake, instead of after a timeout that may have backed
    ///     off to seconds. With false, chunks in flight are still expected to arrive.
    ///   - roundTrip: the new path's round trip, if the owner has measured it.
    package mutating func changePath(isLossy: Bool, roundTrip: Duration?, now: Instant) {
        advance(to: now)
        guard state != .ended, state != .closed else { return }
        timeout.restart(expected: roundTrip)
        window = CongestionWindow(packetSize: configuration.packetSize)
        isFastRetransmitting = false
        timed = nil
        errors = 0
        attempts = 0
        heartbeat = nil
        burst = configuration.maximumBurst * configuration.packetSize
        if isLossy { repeatAll() }
        if !outstanding.isEmpty { retransmitsAt = now + timeout.current }
    }

    private mutating func repeatAll() {
        // What waited for the old path is written anew.
        packets.removeAll()
        switch state {
        case .cookieWait: sendInitiation()
        case .cookieEchoed: sendCookie()
        case .shutdownSent: sendShutdown()
        case .shutdownAckSent: sendShutdownAck()
        default: break
        }
        outstanding.loseAll()
        if forwardPoint > outstanding.cumulative { isForwardDue = true }
        if resets.outstanding != nil { resets.outstanding?.isDue = true }
        // The peer's copy of the last acknowledgement may be lost too.
        if inbound != nil, isOpen { acknowledging = .now }
    }
}
