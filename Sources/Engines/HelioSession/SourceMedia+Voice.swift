package import HelioCore
package import HelioMedia
import HelioProtection

// A viewer's voice, which is received beside its reports.

extension SourceMedia {
    /// Accepts the viewer's voice from now on.
    ///
    /// - Parameter crypto: the crypto provider for sound.
    func addVoice(_ key: SRTPMasterKey, crypto: any CryptoProvider) throws(CryptoError) {
        voice = try VoiceReceiving(key, ssrc: viewerSSRC, crypto: crypto)
    }

    /// True if the viewer's voice is set up.
    package var hasVoice: Bool { voice != nil }

    /// Handles a datagram that is not RTCP, and is therefore expected to be a packet of the viewer's voice.
    func hear(_ datagram: consuming [UInt8], now: Instant) {
        guard let voice else { return drops.count(.notRTCP) }
        voice.handle(datagram, now: now)
    }

    /// Returns the next packet of the viewer's voice, in order of arrival.
    package func pollVoice() -> ReceivedSound? { voice?.poll() }

    /// Returns whether the viewer is speaking, or `nil` if that has not changed since the last call.
    package func pollSpeaking() -> Bool? { voice?.pollSpeaking() }

    /// Statistics of the viewer's voice; `nil` if it is not set up.
    package var voiceStatistics: SinkStatistics.Sound? { voice?.statistics }
}
