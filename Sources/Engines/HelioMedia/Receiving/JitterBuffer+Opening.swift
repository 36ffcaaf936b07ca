internal import HelioCore

extension JitterBuffer {
    /// A kind of picture that decoding can start with, recognised by its first packet.
    enum Opening: Sendable {
        case keyframe
        /// A repair picture that can follow the last frame output.
        case repair
    }

    /// The kind of picture that begins with the packet; `nil` if the packet begins neither a keyframe nor a repair
    /// picture that can follow the last frame output.
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

    /// Counts the packets missing before a repair picture as dropped: they are no longer requested.
    mutating func countOvertaken(before start: UInt64) {
        guard let highest else { return }
        var sequence = base
        while sequence < min(start, highest + 1) {
            if ring.missing(sequence) != nil { drops.count(.overtaken) }
            sequence += 1
        }
    }
}
