import HelioCore
import HelioMedia
import HelioPeer
import HelioRTP

/// The track by which a browser is sent the sound of one origin: one encode at a time, with earlier packets repeated
/// where the path loses some.
struct WebSoundTrack {
    let id: Transceiver.ID
    private var choice: SoundSwitch
    /// What is not right before what follows it was not lost: there was silence, or another encode.
    private var earlier = SoundRepeats(bridgesSilence: false)
    /// True where the next packet is the first after a time without any.
    private(set) var begins = true

    init(_ id: Transceiver.ID, _ encode: SoundEncode) {
        self.id = id
        choice = SoundSwitch(encode)
    }

    /// The encode that is sent.
    var encode: SoundEncode { choice.current }
    /// The encodes that have to be made.
    var wanted: Set<SoundEncode> { choice.wanted }

    mutating func change(to encode: SoundEncode) { choice.change(to: encode) }

    /// Notes that nothing is sent for a while: what comes then begins anew.
    mutating func pause() {
        choice.restart()
        earlier.removeAll()
        begins = true
    }

    /// Returns whether the packet is to be sent, and notes that it is.
    mutating func takes(_ sound: EncodedSound) -> Bool { choice.takes(sound) }

    /// The payload with the earlier ones ahead of it that it repeats (RFC 2198); `nil` where it repeats none.
    ///
    /// - Parameters:
    ///   - type: Opus's payload type.
    ///   - repeats: how many earlier packets are repeated at most.
    ///   - largest: the most bytes.
    func redundant(_ sound: EncodedSound, type: PayloadType, repeats: Int, largest: Int) -> [UInt8]? {
        earlier.payload(of: sound, type: type, repeats: repeats, largest: largest)
    }

    /// Notes a packet that has left.
    mutating func sent(_ sound: EncodedSound) {
        begins = false
        earlier.note(sound)
    }
}
