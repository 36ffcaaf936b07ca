/// An encoder of sound.
package protocol SoundEncoding: AnyObject {
    var codec: SoundCodec { get }
    /// What it takes.
    var format: SoundFormat { get }
    /// The number of sample frames, at `format`, that `encode` takes at a time.
    var framesPerPacket: Int { get }
    /// By how many sample frames the first sample that a packet decodes to is older than the first of those that `encode`
    /// was called with when it gave that packet: what the codec looks ahead and holds back. A packet's media time is
    /// that of the call less this.
    var delayFrames: Int { get }

    /// Codes `framesPerPacket` frames of interleaved samples. Gives the RTP payload; `nil` where there is nothing to send
    /// (a rest by DTX, or an encoder that has not enough yet).
    func encode(_ samples: [Float]) throws(HelioError) -> [UInt8]?

    /// Changes what it codes at from the next packet on. What a codec has no use for is passed over.
    func reconfigure(_ settings: SoundEncoderSettings) throws(HelioError)
}

extension SoundEncoding {
    /// None, as of a codec that codes each packet by itself.
    package var delayFrames: Int { 0 }
}

/// The settings of an encoder of sound that change while it runs.
package struct SoundEncoderSettings: Sendable, Hashable {
    /// Bits a second.
    package var bitrate: Int
    /// The length of a packet: Opus takes 2.5, 5, 10 and 20 ms.
    package var packetDuration: Duration
    /// The share of packets that are lost, 0...1: from above 0 on Opus codes each packet a second time, coarsely, in the
    /// one after it (in-band FEC, RFC 6716 section 2.1.7).
    package var lossShare: Double
    /// True where there is to be a packet of every stretch: no rests by DTX.
    package var codesRests: Bool

    package init(bitrate: Int, packetDuration: Duration, lossShare: Double = 0, codesRests: Bool = false) {
        self.bitrate = bitrate
        self.packetDuration = packetDuration
        self.lossShare = lossShare
        self.codesRests = codesRests
    }
}
