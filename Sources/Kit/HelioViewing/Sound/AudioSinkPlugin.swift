public import HelioSharing

/// An app's own player of sound.
public protocol AudioSinkPlugin: AudioPlugin {
    /// Takes a packet of coded sound. Packets come in order of arrival, each once; a missing packet leaves a gap in
    /// time.
    func receive(_ packet: EncodedSoundPacket, of input: SoundInput)
}
