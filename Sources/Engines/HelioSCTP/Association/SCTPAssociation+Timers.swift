import HelioCore

extension SCTPAssociation {
    mutating func runTimers() {
        if isDue(handshakeAt) { handshakeTimedOut() }
        if isDue(shutdownAt) { shutdownTimedOut() }
        if isDue(acknowledgesAt) {
            acknowledgesAt = nil
            acknowledging = .now
        }
        if isDue(retransmitsAt) { retransmissionTimedOut() }
        if isDue(resetAt) { resetTimedOut() }
        if isDue(heartbeatAt) { beat() }
    }

    private func isDue(_ at: Instant?) -> Bool { at.map { $0 <= now } ?? false }

    /// Handles the expiry of the T3-rtx timer: all unacknowledged chunks count as lost (RFC 9260 section 6.3.3).
    private mutating func retransmissionTimedOut() {
        retransmitsAt = nil
        guard !outstanding.isEmpty else { return }
        // Do not count an error if the peer acknowledges with a closed window, as it is alive then (section 6.1).
        if !isPeerFull { errors += 1 }
        isPeerFull = false
        guard errors <= configuration.maximumRetransmissions else {
            return end(.unreachable)
        }
        timeout.expired()
        window.timedOut()
        outstanding.loseAll()
        timed = nil
        burst = configuration.maximumBurst * configuration.packetSize
        if forwardPoint > outstanding.cumulative { isForwardDue = true }
        retransmitsAt = now + timeout.current
    }

    // MARK: - Heartbeats (section 8.3)

    mutating func scheduleHeartbeat() {
        guard configuration.heartbeatInterval > .zero else { return }
        heartbeatAt = now + configuration.heartbeatInterval + timeout.current
    }

    private mutating func beat() {
        scheduleHeartbeat()
        guard isOpen, outstanding.isEmpty else { return }
        if heartbeat != nil {
            errors += 1
            guard errors <= configuration.maximumRetransmissions else { return end(.unreachable) }
        }
        let number = UInt64(bitPattern: now.nanoseconds)
        heartbeat = number
        answer {
            $0.appendChunk(.heartbeat) {
                $0.appendParameter(1) {
                    $0.append(bigEndian: number)
                    // The time of sending; this value is also the heartbeat's number.
                    $0.append(bigEndian: number)
                }
            }
        }
    }
}
