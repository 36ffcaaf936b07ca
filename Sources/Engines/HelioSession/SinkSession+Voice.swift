import HelioCore
import HelioProtection
import HelioRTSP

// The person's own voice in the viewer's session: set up where the host hears viewers, and sent while it plays.

extension SinkSession {
    /// What is known of the voice.
    struct VoiceState {
        /// True until the host has answered its SETUP.
        var isAsked = false
        /// The key that it is sent under, where the host hears it.
        var key: SRTPMasterKey?
        /// What was told of the encode that is wanted.
        var told = SoundDemand.none
    }

    /// Sets the voice up, where the host hears viewers: with the SETUPs before it, so that it costs no round trip.
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

    /// Takes the answer to the SETUP of the voice. A host may refuse it.
    ///
    /// - Returns: false where nothing was asked.
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
        drain(now)
    }

    /// Tells what the voice is to be coded as, where that has changed.
    func tellVoice() {
        let wanted = state == .playing && !isPaused ? media?.voice?.demand ?? .none : .none
        guard wanted != voice.told else { return }
        voice.told = wanted
        media?.voice?.restart()
        outputs.append(.event(.voiceWanted(wanted)))
    }
}
