import HelioCore
import HelioProtection

// The viewer's own voice, which is sent beside its reports.

extension SinkMedia {
    /// Sets up the stream of the user's voice, encrypted with this key.
    ///
    /// - Parameter crypto: the crypto provider for sound.
    func addVoice(_ key: SRTPMasterKey, crypto: any CryptoProvider) throws(CryptoError) {
        voice = try VoiceSending(key, ssrc: viewerSSRC, crypto: crypto)
    }

    /// Sends a packet of the user's voice at once; drops a packet of an encoding that is not in use.
    func send(voice packet: EncodedSound, now: Instant) {
        voice?.send(packet, now: now) { put(.datagram($0)) }
    }
}
