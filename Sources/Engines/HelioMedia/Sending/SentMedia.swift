package import HelioCore

/// Counts of the media sent to one or more receivers.
package struct SentMedia: Sendable, Hashable {
    package var frames = 0
    package var soundPackets = 0
    /// The packets of picture and sound.
    package var packets = 0
    package var bytes = 0

    package init() {}
}

/// Statistics of one stream of sound to one receiver.
package struct SentSound: Sendable, Hashable {
    package var origin: SoundOrigin
    /// The encoding in use; `nil` while the sound is off.
    package var encode: SoundEncode?
    /// The number of earlier packets that each packet repeats.
    package var repeats: Int
    package var packets: Int
    /// Bytes sent, including packet headers; for a browser, payloads only.
    package var bytes: Int
    /// The fraction of packets lost, by the receiver's last report, 0...1.
    package var loss: Double

    package init(origin: SoundOrigin, encode: SoundEncode?, repeats: Int, packets: Int, bytes: Int, loss: Double) {
        self.origin = origin
        self.encode = encode
        self.repeats = repeats
        self.packets = packets
        self.bytes = bytes
        self.loss = loss
    }
}
