internal import HelioCore

/// The picture with which a peer resumes decoding after a loss, and the packets that the peer no longer needs because
/// of that picture: all packets between its last complete frame and the newest keyframe, or the newest repair picture
/// for this peer's loss.
///
/// A repair picture for another viewer does not count, as this peer may lack the frames that it refers to.
struct ResumePoint: Sendable {
    /// The last frame that the peer has complete, while it waits for a picture to resume with.
    private(set) var whole: UInt64?
    /// The picture that the peer resumes with.
    private var frame: UInt64?
    /// The frame that the peer has to decode before that picture; `nil` if the picture is a keyframe.
    private(set) var base: UInt64?
    /// The first packet of that picture; `nil` before it has left.
    private(set) var sequence: ExtendedSequence?
    /// The first packet that is given up while the peer waits; `nil` if no packet is given up.
    private var hole: ExtendedSequence?

    /// Notes that the peer waits for a picture that can follow the frame `whole`.
    ///
    /// - Parameter hole: the first of the packets that are no longer retransmitted to the peer; `nil` if all still are.
    mutating func waits(after whole: UInt64, givingUpFrom hole: ExtendedSequence?) {
        self.whole = min(self.whole ?? whole, whole)
        if let hole { self.hole = hole }
    }

    /// Notes that a keyframe, or a repair picture that can follow the frame `since`, is about to be queued.
    mutating func begins(_ frame: UInt64, since: UInt64?) {
        if let since {
            guard let whole, since <= whole else { return }
        }
        self.frame = frame
        base = since == nil ? nil : whole
        whole = nil
    }

    /// Notes the sequence number of a frame's first packet. Returns true if the frame is the picture to resume with.
    mutating func left(_ frame: UInt64?, _ sequence: ExtendedSequence) -> Bool {
        guard let frame, frame == self.frame else { return false }
        self.sequence = sequence
        hole = nil
        return true
    }

    /// Notes that all packets may be retransmitted again while the peer waits.
    mutating func keepAll() { hole = nil }

    /// Notes that the peer no longer waits for a picture, as its stream has stopped.
    mutating func stop() { (whole, base, hole) = (nil, nil, nil) }

    /// Returns whether the peer no longer needs the packet.
    func givesUp(_ packet: ExtendedSequence) -> Bool {
        if let sequence, packet < sequence { return true }
        return hole.map { packet >= $0 } ?? false
    }
}
