/// A packet of coded sound: an app's own encoder gives it to a `MirrorSource`, and a `MirrorSink` gives it to an app's own
/// decoder.
public struct EncodedSoundPacket: Sendable, Hashable {
    /// Its codec.
    public var format: SoundAttributes.Format
    /// What the codec's decoder takes: samples of 16 bits, 48 kHz stereo, the high byte first; an Opus packet; or a raw AAC
    /// frame.
    public var bytes: [UInt8]
    /// The time of its first sample. Only differences within one stream mean something.
    public var presentationTime: Duration
    /// How long it sounds.
    public var duration: Duration

    /// Takes what an encoder has given.
    public init(format: SoundAttributes.Format, bytes: [UInt8], presentationTime: Duration, duration: Duration) {
        self.format = format
        self.bytes = bytes
        self.presentationTime = presentationTime
        self.duration = duration
    }
}
