/// An encoder of sound, called once for each packet: a seam that each platform implements.
package protocol SoundEncoding: AnyObject {
    var codec: SoundCodec { get }
    /// The format of the samples to encode.
    var format: SoundFormat { get }
    /// The number of sample frames at `format` per call of `encode`.
    var framesPerPacket: Int { get }
    /// The codec's delay in sample frames, from look-ahead and buffering: a decoded packet begins this many frames
    /// before the first sample of the `encode` call that returned the packet. A packet's media time is the time of that
    /// call's first sample minus this delay.
    var delayFrames: Int { get }

    /// Encodes `framesPerPacket` frames of interleaved samples. Returns the RTP payload; `nil` if there is nothing to
    /// send (silence with DTX, or an encoder that needs more samples first).
    func encode(_ samples: [Float]) throws(HelioError) -> [UInt8]?

    /// Changes the settings from the next packet on. A codec ignores those that it does not support.
    func reconfigure(_ settings: SoundEncoderSettings) throws(HelioError)
}

extension SoundEncoding {
    /// No delay, for a codec that encodes each packet separately.
    package var delayFrames: Int { 0 }
}

/// The settings of an encoder of sound that change while it runs.
package struct SoundEncoderSettings: Sendable, Hashable {
    /// The bitrate, in bits per second.
    package var bitrate: Int
    /// The duration of a packet: Opus supports 2.5, 5, 10 and 20 ms.
    package var packetDuration: Duration
    /// The share of lost packets, 0...1. Above 0, Opus also encodes each packet at low quality within the next packet
    /// (in-band FEC, RFC 6716 section 2.1.7).
    package var lossShare: Double
    /// True if silence is sent, too: every packet interval has a packet, and DTX is off.
    package var codesRests: Bool

    package init(bitrate: Int, packetDuration: Duration, lossShare: Double = 0, codesRests: Bool = false) {
        self.bitrate = bitrate
        self.packetDuration = packetDuration
        self.lossShare = lossShare
        self.codesRests = codesRests
    }
}

/// A decoder of sound. It throws `decoderFailed` for an invalid payload; later payloads can still be decoded.
package protocol SoundDecoding: AnyObject {
    var codec: SoundCodec { get }
    /// The format of decoded samples.
    var format: SoundFormat { get }

    /// Decodes one packet's payload to interleaved samples.
    func decode(_ payload: [UInt8]) throws(HelioError) -> [Float]
    /// Decodes the redundant copy of a lost packet, `frames` long, from the next packet's payload; `nil` if the next
    /// packet carries no copy.
    func recover(from next: [UInt8], frames: Int) throws(HelioError) -> [Float]?
    /// Conceals a lost packet of this many frames; `nil` if the codec can't conceal losses.
    func conceal(frames: Int) throws(HelioError) -> [Float]?
}
