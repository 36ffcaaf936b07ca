import HelioCore
import HelioMedia
import HelioPeer
import HelioRTP

/// The track by which a browser is sent the sound of one origin: one encoding at a time, with earlier packets repeated
/// on a lossy path.
struct WebSoundTrack {
    let id: Transceiver.ID
    private var choice: SoundSwitch
    /// The earlier packets that may be repeated. None is repeated across a silence: a gap between packets of this track
    /// is silence or a change of encoding, not a loss.
    private var earlier = SoundRepeats(bridgesSilence: false)
    /// True if the next packet is the first after a pause.
    private(set) var begins = true

    init(_ id: Transceiver.ID, _ encode: SoundEncode) {
        self.id = id
        choice = SoundSwitch(encode)
    }

    /// The encoding being sent.
    var encode: SoundEncode { choice.current }
    /// The encodings that must be produced for this track.
    var wanted: Set<SoundEncode> { choice.wanted }

    mutating func change(to encode: SoundEncode) { choice.change(to: encode) }

    /// Notes that nothing is sent for a while: the next packet begins a talkspurt.
    mutating func pause() {
        choice.restart()
        earlier.removeAll()
        begins = true
    }

    /// Returns whether the packet is to be sent: it is from the encoding in use, or from the one that is to replace it.
    /// Updates the state of the switch.
    mutating func takes(_ sound: EncodedSound) -> Bool { choice.takes(sound) }

    /// Returns the payload, preceded by repeated earlier packets (RFC 2198); `nil` if none is repeated.
    ///
    /// - Parameters:
    ///   - type: the payload type of Opus.
    ///   - repeats: the maximum number of repeated packets.
    ///   - largest: the size limit of the payload in bytes.
    func redundant(_ sound: EncodedSound, type: PayloadType, repeats: Int, largest: Int) -> [UInt8]? {
        earlier.payload(of: sound, type: type, repeats: repeats, largest: largest)
    }

    /// Records a packet that was sent.
    mutating func sent(_ sound: EncodedSound) {
        begins = false
        earlier.note(sound)
    }
}
