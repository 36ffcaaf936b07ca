internal import HelioCore

/// The first packet that a peer still needs which reports its losses itself: that of the newest keyframe, or of the
/// newest repair picture that answers the peer's own report. It gives up all frames between the last one that it has
/// complete and such a picture.
///
/// A repair picture for another viewer does not count, as this peer may lack the frames that it refers to.
struct ResumePoint: Sendable {
    /// The last frame that the peer has complete, while it waits for a picture to resume with.
    private var whole: UInt64?
    /// The picture that the peer resumes with.
    private var frame: UInt64?
    private var sequence: ExtendedSequence?

    /// Notes the peer's report: it waits for a picture that can follow the frame `whole`.
    mutating func reported(_ whole: UInt64) { self.whole = whole }

    /// Notes that a keyframe, or a repair picture that can follow the frame `since`, is about to be queued.
    mutating func begins(_ frame: UInt64, since: UInt64?) {
        if let since {
            guard let whole, since <= whole else { return }
        }
        self.frame = frame
        whole = nil
    }

    /// Notes the sequence number of a frame's first packet.
    mutating func left(_ frame: UInt64?, _ sequence: ExtendedSequence) {
        if let frame, frame == self.frame { self.sequence = sequence }
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
