package import HelioCore
package import HelioMedia
import HelioProtection
import HelioRTP

// Sound shares the video's path and transport-wide sequence numbers, and is sent ahead of video; its bytes count
// against the rate of video.

extension SourceMedia {
    /// The bitrate that each stream of sound adds to the maximum of the path's estimate, so that sound does not reduce
    /// the bitrate agreed for video if the path carries both.
    private static func allowance(_ takes: Set<SoundCodec>) -> Bitrate {
        takes.contains(.pcm) ? .kilobits(1700) : .kilobits(500)
    }

    /// Sets up a stream of sound, which is sent with this SSRC.
    ///
    /// - Parameter crypto: the crypto provider for sound.
    func add(
        _ sound: StreamOffer.Sound, ssrc: SSRC, crypto: any CryptoProvider, now: Instant
    ) throws(CryptoError) {
        sounds.append(
            try SoundSending(
                sound.origin, key: sound.key, ssrc: ssrc, takes: Set(sound.codecs),
                largestDatagram: Self.largestDatagram, crypto: crypto))
        soundAllowance = Bitrate(
            bitsPerSecond: soundAllowance.bitsPerSecond + Self.allowance(Set(sound.codecs)).bitsPerSecond)
        setMost(now)
    }

    func hasSound(of origin: SoundOrigin) -> Bool { sounds.contains { $0.origin == origin } }

    /// The SSRCs of all sounds that were set up.
    package var soundSSRCs: [SSRC] { sounds.map(\.ssrc) }

    /// Turns on the sound of exactly these origins.
    ///
    /// - Returns: false, and nothing changes, if the sound of one of the origins was not set up.
    func turnOnSound(of origins: Set<SoundOrigin>, now: Instant) -> Bool {
        guard origins.allSatisfy({ hasSound(of: $0) }) else { return false }
        for sound in sounds { sound.turn(on: origins.contains(sound.origin), now: now) }
        return true
    }

    /// Restarts each sound after a pause in sending.
    func restartSound() { for sound in sounds { sound.restart() } }

    /// True if sound was set up.
    package var hasSound: Bool { !sounds.isEmpty }

    /// Returns whether `soundDemand` has changed since the last call.
    func pollNewSoundDemand() -> Bool { sounds.reduce(false) { $1.pollNewDemand() || $0 } }

    /// The encodings that this viewer needs, by origin.
    package var soundDemand: [SoundOrigin: SoundDemand] {
        sounds.reduce(into: [:]) { all, sound in
            let demand = sound.demand
            if !demand.encodes.isEmpty { all[sound.origin] = demand }
        }
    }

    package var sentSound: [SentSound] { sounds.map(\.statistics) }

    /// Sends a packet of sound at once; ignores a packet of an encoding that is not in use.
    package func send(_ packet: EncodedSound, now: Instant) {
        for sound in sounds where sound.origin == packet.origin {
            guard isReachable else { return drops.count(.beforeFirstReport) }
            let bytes = sound.send(packet, transport: &estimator, now: now) { put($0) }
            guard bytes > 0 else { return }
            soundRate.note(bytes, now: now)
            // The bytes of sound count against the rate of video.
            stream.note(beside: bytes, now: now)
            putSoundReports(now)
        }
    }

    func tickSound(_ now: Instant) {
        for sound in sounds { sound.tick(now: now) }
        putSoundReports(now)
    }

    private func putSoundReports(_ now: Instant) {
        guard isReachable else { return }
        for sound in sounds { if let report = sound.pollReport(now: now) { put(report) } }
    }

    var soundDeadline: Deadline? {
        !isReachable ? nil : sounds.reduce(nil) { Deadline.earliest($0, $1.deadline) }
    }

    /// Adapts each sound's encoding and redundancy to the state of the path.
    func followPathWithSound(_ now: Instant) {
        guard !sounds.isEmpty else { return }
        soundRate.update(now)
        let path = SoundPlanner.Path(
            estimate: estimator.estimate, proven: estimator.carried, most: most,
            loss: estimator.losses.isSteady ? estimator.losses.share : 0, runLength: estimator.losses.runLength)
        for sound in sounds { sound.follow(path, now: now) }
    }
}
