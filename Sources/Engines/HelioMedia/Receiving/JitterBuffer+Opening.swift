internal import HelioCore

extension JitterBuffer {
    /// What kind of picture a packet opens with which the flow of frames can begin.
    enum Opening: Sendable {
        case keyframe
        /// One that follows on the last frame given out.
        case repair
    }

    /// The kind of picture that the packet opens; `nil` where it opens none, or one that can't be used here.
    func opening(of packet: borrowing MediaPacket) -> Opening? {
        if keyframeStart.isCarried(by: packet.bytes.span.bytes.extracting(packet.payload)) { return .keyframe }
        guard configuration.givesRepairs, let since = packet.repairsSince, let lastWhole else { return nil }
        return isLater(lastWhole, than: since, orSame: true) && isLater(packet.timestamp, than: lastWhole)
            ? .repair : nil
    }

    /// Compares RTP timestamps, which wrap around.
    private func isLater(_ timestamp: UInt32, than other: UInt32, orSame: Bool = false) -> Bool {
        let distance = Int32(bitPattern: timestamp &- other)
        return distance > 0 || orSame && distance == 0
    }

    /// Counts what is missing before a repair picture: it is asked for no longer.
    mutating func countOvertaken(before start: UInt64) {
        guard let highest else { return }
        var sequence = base
        while sequence < min(start, highest + 1) {
            if ring.missing(sequence) != nil { drops.count(.overtaken) }
            sequence += 1
        }
    }
}
