package import HelioCore
import HelioProtection
import HelioRTSP

// The setup of sound in the viewer's session, and turning it on and off.

extension SinkSession {
    /// The state of sound in the session: its setup, and whether it is on.
    struct SoundState {
        /// The sounds whose SETUP awaits its response, in order of the requests.
        var asked: [StreamOffer.Sound] = []
        /// The sounds that were set up, with their SSRCs.
        var setUp: [(sound: StreamOffer.Sound, ssrc: SSRC)] = []
        /// True if the user wants to hear the sound.
        var isWanted = true
        /// The setting last sent to the host: true if the host is to send sound. Initially true, as the host sends all
        /// sound that was set up.
        var isTold = true
        /// The number of the pending request that turns sound on or off.
        var request: UInt32?
    }

    /// The origins whose sound was set up; complete once the session plays.
    package var soundOrigins: [SoundOrigin] { sound.setUp.map(\.sound.origin) }

    /// Sends the SETUPs of the offered sounds that this sink accepts, together with the other SETUPs, so that sound
    /// costs no additional round trip.
    func setUpSound(of offer: StreamOffer) {
        let takes = settings.capabilities.sound
        sound.asked = offer.sounds.filter { !$0.codecs.filter(takes.contains).isEmpty }
        for wanted in sound.asked {
            request(
                .setup, path: "/" + wanted.path, headers: ["Transport": TransportHeader("RTP/SAVPF/UDP").value],
                body: [])
        }
    }

    /// Handles the response to the first pending SETUP of sound. If the host refuses, there is no sound of that origin.
    ///
    /// - Returns: false if the response is invalid.
    func soundSetUp(_ response: RTSPResponse) -> Bool {
        guard !sound.asked.isEmpty else { return false }
        let asked = sound.asked.removeFirst()
        guard response.status.isSuccess else { return true }
        guard let reply = SetupReply(response), let mediaSetup else { return false }
        let others =
            [mediaSetup.hostSSRC, mediaSetup.retransmissionSSRC, mediaSetup.paritySSRC, mediaSetup.viewerSSRC]
            + sound.setUp.map(\.ssrc)
        guard reply.hostSSRC != SSRC(0), !others.contains(reply.hostSSRC) else { return false }
        sound.setUp.append((asked, reply.hostSSRC))
        return true
    }

    func addSound(to media: SinkMedia) throws(CryptoError) {
        for (offered, ssrc) in sound.setUp {
            try media.add(
                offered, ssrc: ssrc, takes: Set(settings.capabilities.sound),
                crypto: suite.provider(for: .audio, over: crypto))
        }
    }

    func setSound(on wish: Bool) {
        sound.isWanted = wish
        tellSound()
    }

    /// Notifies the host whether sound is wanted, if that has changed and no such request is pending.
    func tellSound() {
        guard state == .playing || state == .openingPath, !sound.setUp.isEmpty, sound.request == nil,
            sound.isWanted != sound.isTold
        else { return }
        sound.isTold = sound.isWanted
        sound.request = request(
            .setParameter, headers: ["Content-Type": SoundMessage.contentType],
            body: SoundMessage.encode(sound.isWanted ? Set(soundOrigins) : []))
    }

    /// Returns true if the response answers a request that turned sound on or off. A refusal has no effect.
    func isOfSound(_ response: RTSPResponse) -> Bool {
        guard let number = sound.request, response.headers["CSeq"] == "\(number)" else { return false }
        sound.request = nil
        tellSound()
        return true
    }
}
