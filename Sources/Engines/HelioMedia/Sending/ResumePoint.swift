internal import HelioCore

/// The first packet that a peer still needs: that of the newest keyframe, or of the newest repair picture for what this
/// peer lost. All frames between the last one that it has complete and such a picture are given up.
///
/// A repair picture for another viewer does not count, as this peer may lack the frames that it refers to.
struct ResumePoint: Sendable {
    /// The last frame that the peer has complete, while it waits for a picture to resume with.
    private var whole: UInt64?
    /// The picture that the peer resumes with.
    private var frame: UInt64?
    /// The first packet of that picture; `nil` before it has left.
    private(set) var sequence: ExtendedSequence?

    /// Notes that the peer waits for a picture that can follow the frame `whole`.
    mutating func reported(_ whole: UInt64) { self.whole = whole }

    /// Notes that a keyframe, or a repair picture that can follow the frame `since`, is about to be queued.
    mutating func begins(_ frame: UInt64, since: UInt64?) {
        if let since {
            guard let whole, since <= whole else { return }
        }
        self.frame = frame
        whole = nil
    }

    /// Notes the sequence number of a frame's first packet. Returns true if it is that of the picture to resume with.
    mutating func left(_ frame: UInt64?, _ sequence: ExtendedSequence) -> Bool {
        guard let frame, frame == self.frame else { return false }
        self.sequence = sequence
        return true
    }

    /// Returns whether the packet comes before the first one that the peer needs.
    func isPast(_ packet: ExtendedSequence) -> Bool { sequence.map { packet < $0 } ?? false }

    /// Returns whether the packet with the 16-bit number `wire` comes before the first one that the peer needs.
    ///
    /// - Parameter next: the number of the next packet to be sent, which is greater than that of any packet sent.
    func isPast(_ wire: UInt16, before next: ExtendedSequence) -> Bool {
        let behind = UInt64((next.wire &- 1) &- wire) + 1
        return behind <= next.rawValue && isPast(ExtendedSequence(next.rawValue - behind))
    }
}
