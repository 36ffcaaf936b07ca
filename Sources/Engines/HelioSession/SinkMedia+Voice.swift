import HelioCore
import HelioProtection

// The viewer's own voice, beside its reports.

extension SinkMedia {
    /// Sends the person's voice from now on.
    ///
    /// - Parameter crypto: the provider for sound.
    func addVoice(_ key: SRTPMasterKey, crypto: any CryptoProvider) throws(CryptoError) {
        voice = try VoiceSending(key, ssrc: viewerSSRC, crypto: crypto)
    }

    /// Sends a packet of the voice at once, if it is of the encode that goes out.
    func send(voice packet: EncodedSound, now: Instant) {
        voice?.send(packet, now: now) { put(.datagram($0)) }
    }
}
