/// An app's own player of sound.
public protocol AudioSinkPlugin: AudioPlugin {
    /// Takes a packet of coded sound: in the order in which packets arrive, each once. Where one is missing, so is its time.
    func receive(_ packet: EncodedSoundPacket, of input: SoundInput)
}
