package import HelioCore
package import HelioMedia
import HelioProtection

// A viewer's voice, which comes beside its reports.

extension SourceMedia {
    /// Hears the viewer from now on.
    ///
    /// - Parameter crypto: the provider for sound.
    func addVoice(_ key: SRTPMasterKey, crypto: any CryptoProvider) throws(CryptoError) {
        voice = try VoiceReceiving(key, ssrc: viewerSSRC, crypto: crypto)
    }

    /// True where the viewer's voice is set up.
    package var hasVoice: Bool { voice != nil }

    /// Takes a datagram that is no report.
    func hear(_ datagram: consuming [UInt8], now: Instant) {
        guard let voice else { return drops.count(.notRTCP) }
        voice.handle(datagram, now: now)
    }

    /// Takes the next packet of the viewer's voice, in the order of arrival.
    package func pollVoice() -> ReceivedSound? { voice?.poll() }

    /// Takes the news whether the viewer speaks; `nil` where nothing has changed.
    package func pollSpeaking() -> Bool? { voice?.pollSpeaking() }

    /// What has come of the viewer's voice; `nil` where it is not set up.
    package var voiceStatistics: SinkStatistics.Sound? { voice?.statistics }
}
