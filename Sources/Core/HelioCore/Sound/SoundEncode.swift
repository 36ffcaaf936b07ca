/// An encode of sound that those who listen may be sent: codec, length of a packet and bitrate. Each is made while
/// somebody wants it.
package struct SoundEncode: Sendable, Hashable {
    package var codec: SoundCodec
    /// The length of a packet.
    package var packetDuration: Duration
    /// The ceiling of the bitrate, in bits a second, without packet headers.
    package var bitrate: Int

    /// 16-bit samples, for a path that carries 1.5 Mbit/s beside the picture (row 57).
    package static let pcm = SoundEncode(codec: .pcm, packetDuration: .milliseconds(5), bitrate: 1_536_000)
    /// Opus with the least delay.
    package static let opus = SoundEncode(codec: .opus, packetDuration: .milliseconds(5), bitrate: 128_000)
    /// Opus in long packets, for a path on which their headers count, with in-band FEC where packets are lost.
    package static let thinOpus = SoundEncode(codec: .opus, packetDuration: .milliseconds(20), bitrate: 48_000)
    /// AAC, for players that have nothing else: 1024 sample frames a packet (row 58).
    package static let aac = SoundEncode(codec: .aac, packetDuration: .nanoseconds(21_333_333), bitrate: 128_000)
}

/// What is wanted of an origin's sound: which encodes, and the loss that they are to withstand.
package struct SoundDemand: Sendable, Hashable {
    package var encodes: Set<SoundEncode>
    /// The highest share of packets that somebody who listens loses, 0...1.
    package var lossShare: Double
    /// True where silence is to be sent, too: players show no picture before they have heard something.
    package var takesSilence: Bool

    package init(encodes: Set<SoundEncode> = [], lossShare: Double = 0, takesSilence: Bool = false) {
        self.encodes = encodes
        self.lossShare = lossShare
        self.takesSilence = takesSilence
    }

    /// Nobody listens.
    package static let none = SoundDemand()

    /// What two audiences want together.
    package func joined(with other: SoundDemand) -> SoundDemand {
        SoundDemand(
            encodes: encodes.union(other.encodes), lossShare: max(lossShare, other.lossShare),
            takesSilence: takesSilence || other.takesSilence)
    }
}
