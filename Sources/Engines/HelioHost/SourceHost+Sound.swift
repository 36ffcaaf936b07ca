import HelioAdmission
import HelioCore
import HelioProtection
import HelioSession

// Sound at `SourceHost`: who hears it, and what is wanted of it.

extension SourceHost {
    /// Makes what a viewer that takes so much is offered of sound.
    func makeSounds(for capabilities: StreamCapabilities) -> [StreamOffer.Sound] {
        guard !capabilities.sound.isEmpty else { return [] }
        return SoundOrigin.allCases.filter(settings.sound.contains).map { origin in
            StreamOffer.Sound(
                origin, codecs: capabilities.sound, key: SRTPMasterKey(profile: StreamOffer.profile, using: &random))
        }
    }

    /// Sends a packet of sound to all who hear this encode of it.
    func send(_ sound: EncodedSound, _ now: Instant) {
        guard settings.sound.contains(sound.origin) else { return }
        for session in sessions.values where session.state == .playing {
            guard let media = session.media, !media.soundSSRCs.isEmpty else { continue }
            media.send(sound, now: now)
            settle(media, of: session.id, now)
        }
        sendWeb(sound, now: now)
        tellSound()
    }

    /// Passes on what has come of a viewer's voice.
    func passOnVoice(_ media: SourceMedia, of viewer: ConnectionID) {
        guard let session = sessions[viewer], session.state.isWatching else { return }
        if let isSpeaking = media.pollSpeaking() {
            outputs.append(
                .event(
                    .speaking(viewer, address: session.address, device: session.device?.name, isSpeaking)))
        }
        while let packet = media.pollVoice() { outputs.append(.voice(viewer, packet)) }
    }

    /// The sound that all who listen want together.
    private var soundDemand: [SoundOrigin: SoundDemand] {
        sessions.values.reduce(into: webSoundDemand) { all, session in
            guard session.state == .playing, let media = session.media else { return }
            all.merge(media.soundDemand) { $0.joined(with: $1) }
        }
    }

    /// Reports the sound that is wanted, where that has changed.
    func tellSound() {
        guard !settings.sound.isEmpty else { return }
        let wanted = soundDemand
        guard wanted != toldSound else { return }
        toldSound = wanted
        outputs.append(.event(.soundWanted(wanted)))
    }
}
