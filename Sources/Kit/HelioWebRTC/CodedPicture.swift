/// One coded picture on its way to peers: an access unit of H.264.
public struct CodedPicture: Sendable {
    /// The access unit's NAL units, each behind a start code of 3 or 4 bytes; parameter sets before each keyframe.
    public var annexB: [UInt8]
    /// When it was taken, on a clock that only goes forward. Only differences mean something.
    public var time: Duration
    /// It can be decoded without any before it.
    public var isKeyframe: Bool
    /// By how many quarters the peer is to turn it clockwise, 0 to 3: browsers do.
    public var quarterTurns = 0

    /// Takes what an encoder has given.
    public init(annexB: [UInt8], time: Duration, isKeyframe: Bool) {
        self.annexB = annexB
        self.time = time
        self.isKeyframe = isKeyframe
    }
}

/// One coded picture of a peer's.
public struct ReceivedPicture: Sendable {
    /// The access unit's NAL units, each behind a start code of 4 bytes.
    public let annexB: [UInt8]
    /// Since an instant of the peer's choosing, with 90 000 steps a second.
    public let time: Duration
    /// It can be decoded without any before it.
    public let isKeyframe: Bool
    /// By how many quarters the picture is to be turned clockwise, 0 to 3.
    public let quarterTurns: Int
    /// Which section of the descriptions it came by.
    public let track: ReceivedTrack
}

/// What the peer sends by one section: for telling two screens apart.
public struct ReceivedTrack: Sendable, Hashable {
    let number: Int
}
