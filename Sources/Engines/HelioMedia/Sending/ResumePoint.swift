internal import HelioCore

/// The picture with which a peer resumes after a loss, and the packets that it needs no more because of it: all between
/// the last frame that it has complete and the newest keyframe, or the newest repair picture for what this peer lost.
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
    /// The first packet that is given up while the peer waits; `nil`: none is.
    private var hole: ExtendedSequence?

    /// Notes that the peer waits for a picture that can follow the frame `whole`.
    ///
    /// - Parameter hole: the first packet of those that the peer does not get any more; `nil`: it may still get all.
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

    /// Notes the sequence number of a frame's first packet. Returns true if it is that of the picture to resume with.
    mutating func left(_ frame: UInt64?, _ sequence: ExtendedSequence) -> Bool {
        guard let frame, frame == self.frame else { return false }
        self.sequence = sequence
        hole = nil
        return true
    }

    /// Notes that the peer may get all packets again while it waits.
    mutating func keepAll() { hole = nil }

    /// Notes that the peer waits for no picture any more, as its stream has stopped.
    mutating func stop() { (whole, base, hole) = (nil, nil, nil) }

    /// Returns whether the peer needs the packet no more.
    func givesUp(_ packet: ExtendedSequence) -> Bool {
        if let sequence, packet < sequence { return true }
        return hole.map { packet >= $0 } ?? false
    }
}
