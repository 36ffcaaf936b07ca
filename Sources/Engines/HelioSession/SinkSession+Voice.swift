import HelioCore
import HelioProtection
import HelioRTSP

// The user's own voice in the viewer's session: set up if the host accepts voices, and sent while the session
// plays.

extension SinkSession {
    /// The state of the voice's setup, and of the demand for it.
    struct VoiceState {
        /// True while the SETUP of the voice awaits its response.
        var isAsked = false
        /// The key that encrypts the voice; `nil` if the voice is not set up.
        var key: SRTPMasterKey?
        /// The demand for the voice in the last event `voiceWanted`.
        var told = SoundDemand.none
    }

    /// Sends the SETUP of the voice if the host accepts voices, together with the other SETUPs, so that the voice costs
    /// no additional round trip.
    func askForVoice(_ offer: StreamOffer) {
        guard offer.takesVoice else { return outputs.append(.event(.voiceRefused)) }
        let key = SRTPMasterKey(profile: StreamOffer.profile, using: &random)
        guard let sent = try? suite.mask(key, .viewerVoice, crypto: crypto) else { return end(Self.brokenSuite) }
        voice.key = key
        voice.isAsked = true
        request(
            .setup, path: "/" + VoiceOffer.path, headers: ["Transport": TransportHeader("RTP/SAVPF/UDP").value],
            body: SetupAnswer.voice(sent))
    }

    /// Handles the response to the SETUP of the voice, which the host may refuse.
    ///
    /// - Returns: false if no SETUP is pending.
    func voiceSetUp(_ response: RTSPResponse) -> Bool {
        guard voice.isAsked else { return false }
        voice.isAsked = false
        if !response.status.isSuccess {
            voice.key = nil
            outputs.append(.event(.voiceRefused))
        }
        return true
    }

    func send(voice packet: EncodedSound, _ now: Instant) {
        guard state == .playing, !isPaused else { return }
        media?.send(voice: packet, now: now)
    }

    /// Outputs the demand for the voice, if it has changed.
    func tellVoice() {
        let wanted = state == .playing && !isPaused ? media?.voice?.demand ?? .none : .none
        guard wanted != voice.told else { return }
        voice.told = wanted
        media?.voice?.restart()
        outputs.append(.event(.voiceWanted(wanted)))
    }
}
