import HelioCore
import HelioMedia
import HelioRemoteWire
import HelioSession

// Viewers whose paths carry far less than others' at `SourceHost`: they are sent a second encode, or a picture now and
// then.

extension SourceHost {
    /// The encode that a viewer is sent.
    func encoding(of viewer: ConnectionID) -> EncodingID { onSecond.contains(viewer) ? .second : .main }

    /// Follows what the viewers' paths are said to carry now.
    func suggest(_ now: Instant) {
        wantRates(now)
        followSplit(now)
        tellRate(now)
    }

    /// Notes what the encodes are to keep to, by what the viewers' paths are said to carry now.
    func wantRates(_ now: Instant) {
        split.policy = slowViewers
        split.update(estimates, now: now)
        main.rate.want(settings.adaptsBitrate ? split.mainRate : nil)
        if let slowest = split.apartRate { second?.rate.want(slowest) }
    }

    /// Sends every viewer what it is to be sent by the split. Between two frames alone: of a frame that has begun the
    /// rest has to go the same way.
    func followSplit(_ now: Instant) {
        guard !isInFrame else { return }
        let apart = Set(split.apart)
        let wanted = slowViewers == .secondEncode ? apart : []
        if wanted.isEmpty, second != nil { endSecond() }
        if !wanted.isEmpty, second == nil { beginSecond(now) }
        if wanted != onSecond {
            let moved = wanted.symmetricDifference(onSecond)
            onSecond = wanted
            for session in sessions.values where moved.contains(session.id) {
                session.media?.changeEncode()
                session.announce(terms(for: session))
                carryOut(session, now)
                if let media = session.media { settleRequests(media, of: session.id, now) }
            }
            for session in web.sessions.values where moved.contains(session.id) {
                session.changeEncode()
                let wish = KeyframeWish("a browser goes on with another encode", isJoin: true)
                ask(wish, of: encoding(of: session.id), now)
            }
        }
        let refreshed = slowViewers == .secondEncode ? [] : apart
        for session in sessions.values {
            let isOn = refreshed.contains(session.id)
            guard let media = session.media, media.isOnRefresh != isOn else { continue }
            media.isOnRefresh = isOn
            settleRequests(media, of: session.id, now)
        }
        for session in web.sessions.values {
            let isOn = refreshed.contains(session.id)
            guard session.isOnRefresh != isOn else { continue }
            session.setOnRefresh(isOn, now: now)
            ask(KeyframeWish(isOn ? "a slow viewer is due a picture" : "a browser goes on"), of: .main, now)
        }
        tellPreference()
    }

    private func beginSecond(_ now: Instant) {
        var rate = EncoderRate(agreed: agreedBitrate, least: AudienceSplit.leastApart)
        rate.want(split.apartRate)
        _ = rate.poll(now: now)
        outputs.append(.event(.second(rate.current)))
        second = HostEncode(.second, format: main.format, rate: rate)
    }

    private func endSecond() {
        second = nil
        outputs.append(.event(.second(nil)))
    }

    /// Gives the second encode up, as there is no encoder for it: its viewers are sent a picture now and then.
    func loseSecond(_ now: Instant) {
        guard slowViewers == .secondEncode else { return }
        slowViewers = .refresh
        suggest(now)
    }

    /// Tells the encoders what their viewers want to keep, where those who say so agree.
    func tellPreference() {
        func preference(of encoding: EncodingID) -> ContentKind? {
            var all: PictureWish.Preference?
            for session in web.sessions.values where session.state == .watching {
                guard self.encoding(of: session.id) == encoding, let one = session.wish.prefers else { continue }
                if let all, all != one { return nil }
                all = one
            }
            return all.map { $0 == .motion ? .motion : .text }
        }
        if let told = main.prefer(preference(of: .main)) { outputs.append(.event(told)) }
        if let told = second?.prefer(preference(of: .second)) { outputs.append(.event(told)) }
    }

    /// Asks an encode for a keyframe.
    func ask(_ wish: KeyframeWish, of encoding: EncodingID, _ now: Instant) {
        if encoding == .main { main.keyframe.ask(wish) } else { second?.keyframe.ask(wish) }
        tellPictures(now)
    }

    /// Asks an encode for a repair picture.
    func ask(_ wish: RepairWish, of encoding: EncodingID, _ now: Instant) {
        if encoding == .main { main.repair.ask(wish) } else { second?.repair.ask(wish) }
        tellPictures(now)
    }

    /// Tells the encoders what they owe.
    func tellPictures(_ now: Instant) {
        while let event = main.pollPicture(isWatched: isWatched, now: now) { outputs.append(.event(event)) }
        while let event = second?.pollPicture(isWatched: isWatched, now: now) { outputs.append(.event(event)) }
    }

    /// Tells the encoders their rates, and their viewers.
    func tellRate(_ now: Instant) {
        let (mainRate, secondRate) = (main.rate.poll(now: now), second?.rate.poll(now: now))
        if let mainRate { outputs.append(.event(.bitrate(mainRate))) }
        if let secondRate { outputs.append(.event(.second(secondRate))) }
        if mainRate != nil || secondRate != nil { announceTerms(now) }
    }

    /// What is known of the paths to the viewers. Where one encode serves all whatever comes, those that do not watch
    /// yet, or pause, count as they always have.
    private var estimates: [(viewer: ConnectionID, bitrate: Bitrate)] {
        let isSplit = slowViewers != .slowestDecides
        let native = sessions.values.compactMap { session -> (viewer: ConnectionID, bitrate: Bitrate)? in
            guard !isSplit || session.state == .playing, let media = session.media else { return nil }
            return (session.id, media.targetBitrate)
        }
        let browsers = web.sessions.values.compactMap { session in
            isSplit && session.isPaused
                ? nil : session.wantedBitrate.map { (viewer: session.id, bitrate: min($0, agreedBitrate)) }
        }
        return native + browsers
    }
}
