import HelioAdmission
import HelioCore
import HelioProtection
import HelioSession

// Sound at `SourceHost`: its distribution to viewers, and the demand for its encodings.

extension SourceHost {
    /// Makes the offer of sound for a viewer with these capabilities.
    func makeSounds(for capabilities: StreamCapabilities) -> [StreamOffer.Sound] {
        guard !capabilities.sound.isEmpty else { return [] }
        return SoundOrigin.allCases.filter(settings.sound.contains).map { origin in
            StreamOffer.Sound(
                origin, codecs: capabilities.sound, key: SRTPMasterKey(profile: StreamOffer.profile, using: &random))
        }
    }

    /// Sends a packet of sound to all viewers that are sent this encoding.
    func send(_ sound: EncodedSound, _ now: Instant) {
        guard settings.sound.contains(sound.origin) else { return }
        var haveNewNeeds = false
        for session in sessions.values where session.state == .playing {
            guard let media = session.media, media.hasSound else { continue }
            media.send(sound, now: now)
            drain(media, of: session.id, now)
            if session.pollNewNeeds() { haveNewNeeds = true }
        }
        if sendWeb(sound, now: now) { haveNewNeeds = true }
        if haveNewNeeds { tellNeeds() }
    }

    /// Outputs a viewer's received voice packets, and whether the viewer is speaking, if that has changed.
    func passOnVoice(_ media: SourceMedia, of viewer: ConnectionID) {
        guard let session = sessions[viewer], session.state.isWatching else { return }
        if let isSpeaking = media.pollSpeaking() {
            outputs.append(
                .event(
                    .speaking(viewer, address: session.address, device: session.name, isSpeaking)))
        }
        while let packet = media.pollVoice() { outputs.append(.voice(viewer, packet)) }
    }

    /// The union of all viewers' sound demands.
    private var soundDemand: [SoundOrigin: SoundDemand] {
        sessions.values.reduce(into: webSoundDemand) { all, session in
            guard session.state == .playing, let media = session.media else { return }
            all.merge(media.soundDemand) { $0.joined(with: $1) }
        }
    }

    /// Outputs whether anybody is watching, and the sound demand, if they have changed.
    func tellNeeds() {
        tellWatched()
        tellSound()
    }

    /// Outputs the sound demand if it has changed.
    func tellSound() {
        guard !settings.sound.isEmpty else { return }
        let wanted = soundDemand
        guard wanted != toldSound else { return }
        toldSound = wanted
        outputs.append(.event(.soundWanted(wanted)))
    }
}
