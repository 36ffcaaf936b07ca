/// A packet of coded sound, from an app's own encoder to a `MirrorSource`, or from a `MirrorSink` to an app's own
/// decoder.
public struct EncodedSoundPacket: Sendable, Hashable {
    /// The codec.
    public var format: SoundAttributes.Format
    /// The payload: samples of 16 bits, 48 kHz stereo, big-endian; an Opus packet; or a raw AAC frame.
    public var bytes: [UInt8]
    /// The time of the packet's first sample, on a clock with an arbitrary origin for each stream.
    public var presentationTime: Duration
    /// The duration of the packet's samples after decoding.
    public var duration: Duration

    /// Makes a packet from an encoder's output.
    public init(format: SoundAttributes.Format, bytes: [UInt8], presentationTime: Duration, duration: Duration) {
        self.format = format
        self.bytes = bytes
        self.presentationTime = presentationTime
        self.duration = duration
    }
}
