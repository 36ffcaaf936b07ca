import HelioCore
import HelioProtection

// The viewer's own voice, which is sent beside its reports.

extension SinkMedia {
    /// Starts to send the user's voice.
    ///
    /// - Parameter crypto: the crypto provider for sound.
    func addVoice(_ key: SRTPMasterKey, crypto: any CryptoProvider) throws(CryptoError) {
        voice = try VoiceSending(key, ssrc: viewerSSRC, crypto: crypto)
    }

    /// Sends a packet of the voice at once, if it belongs to the encode in use.
    func send(voice packet: EncodedSound, now: Instant) {
        voice?.send(packet, now: now) { put(.datagram($0)) }
    }
}
