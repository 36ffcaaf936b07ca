/// The settings of an encoding of sound: codec, packet duration and bitrate. An encoding is produced only while a
/// listener needs it.
package struct SoundEncode: Sendable, Hashable {
    package var codec: SoundCodec
    package var packetDuration: Duration
    /// The upper limit of the bitrate, in bits per second, without packet headers.
    package var bitrate: Int

    /// 16-bit samples, for a path that has 1.5 Mbit/s left besides the video (requirement row 57).
    package static let pcm = SoundEncode(codec: .pcm, packetDuration: .milliseconds(5), bitrate: 1_536_000)
    /// Opus with the lowest delay.
    package static let opus = SoundEncode(codec: .opus, packetDuration: .milliseconds(5), bitrate: 128_000)
    /// Opus in long packets with few headers, for a slow path; with in-band FEC if packets are lost.
    package static let thinOpus = SoundEncode(codec: .opus, packetDuration: .milliseconds(20), bitrate: 48_000)
    /// AAC, for players that support nothing else: 1024 sample frames per packet (requirement row 58).
    package static let aac = SoundEncode(codec: .aac, packetDuration: .nanoseconds(21_333_333), bitrate: 128_000)
}

/// The demand for the sound of one origin: the required encodings, and the packet loss that they have to tolerate.
package struct SoundDemand: Sendable, Hashable {
    package var encodes: Set<SoundEncode>
    /// The highest share of packets that any listener loses, 0...1.
    package var lossShare: Double
    /// True if silence has to be sent too, as players show no picture before they have received sound.
    package var takesSilence: Bool

    package init(encodes: Set<SoundEncode> = [], lossShare: Double = 0, takesSilence: Bool = false) {
        self.encodes = encodes
        self.lossShare = lossShare
        self.takesSilence = takesSilence
    }

    /// The demand without any listener.
    package static let none = SoundDemand()

    /// The combined demand of two audiences.
    package func joined(with other: SoundDemand) -> SoundDemand {
        SoundDemand(
            encodes: encodes.union(other.encodes), lossShare: max(lossShare, other.lossShare),
            takesSilence: takesSilence || other.takesSilence)
    }
}
