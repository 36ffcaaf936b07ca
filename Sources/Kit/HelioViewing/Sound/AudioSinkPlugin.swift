public import HelioSharing

/// An app's own decoder and player of sound.
public protocol AudioSinkPlugin: AudioPlugin {
    /// Receives a packet of coded sound. Packets are delivered in order of arrival, each once; a missing packet leaves
    /// a gap in the presentation times.
    func receive(_ packet: EncodedSoundPacket, of input: SoundInput)
}
