import HelioCore
import HelioMedia
import HelioRemoteWire
import HelioSession

// Viewers of a `SourceHost` whose paths are far slower than the others': they get a second encoding, or only occasional
// pictures ("on refresh").

extension SourceHost {
    /// The encoding that a viewer is sent.
    func encoding(of viewer: ConnectionID) -> EncodingID { onSecond.contains(viewer) ? .second : .main }

    /// Updates the encodings' bitrates, and the assignment of viewers to encodings, by the present estimates of the
    /// viewers' paths.
    func suggest(_ now: Instant) {
        wantRates(now)
        followSplit(now)
        tellRate(now)
    }

    /// Sets the bitrates of the encodings to the present estimates of the viewers' paths.
    func wantRates(_ now: Instant) {
        split.policy = slowViewers
        split.update(estimates, now: now)
        main.rate.want(settings.adaptsBitrate ? split.mainRate : nil)
        if let slowest = split.apartRate { second?.rate.want(slowest) }
    }

    /// Assigns viewers to the encodings, or to occasional pictures, as `split` has decided. This happens only between
    /// two frames, as the rest of a frame has to be sent to the same viewers.
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
                execute(session, now)
                if let media = session.media { drainRequests(media, of: session.id, now) }
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
            drainRequests(media, of: session.id, now)
        }
        for session in web.sessions.values {
            let isOn = refreshed.contains(session.id)
            guard session.picture.isOnRefresh != isOn else { continue }
            session.setOnRefresh(isOn, now: now)
            ask(isOn ? PictureTurns.wish : KeyframeWish("a browser goes on"), of: .main, now)
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

    /// Ends the second encoding, as no encoder is available for it. Its viewers then get only occasional pictures.
    func loseSecond(_ now: Instant) {
        guard slowViewers == .secondEncode else { return }
        slowViewers = .refresh
        suggest(now)
    }

    /// Outputs each encoding's preferred kind of content: that of its watching browsers, if all browsers with a
    /// preference agree; otherwise none.
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

    /// Requests a keyframe of an encoding.
    func ask(_ wish: KeyframeWish, of encoding: EncodingID, _ now: Instant) {
        if encoding == .main { main.keyframe.ask(wish) } else { second?.keyframe.ask(wish) }
        tellPictures(now)
    }

    /// Requests a repair picture of an encoding.
    func ask(_ wish: RepairWish, of encoding: EncodingID, _ now: Instant) {
        if encoding == .main { main.repair.ask(wish) } else { second?.repair.ask(wish) }
        tellPictures(now)
    }

    /// Outputs the picture requests that are due.
    func tellPictures(_ now: Instant) {
        while let event = main.pollPicture(isWatched: isWatched, now: now) { outputs.append(.event(event)) }
        while let event = second?.pollPicture(isWatched: isWatched, now: now) { outputs.append(.event(event)) }
    }

    /// Outputs the bitrates that have changed for the encoders, and announces them to viewers.
    func tellRate(_ now: Instant) {
        let (mainRate, secondRate) = (main.rate.poll(now: now), second?.rate.poll(now: now))
        if let mainRate { outputs.append(.event(.bitrate(mainRate))) }
        if let secondRate { outputs.append(.event(.second(secondRate))) }
        if mainRate != nil || secondRate != nil { announceTerms(now) }
    }

    /// The estimated bitrates of the viewers' paths. If a single encoding always serves all viewers (`slowestDecides`),
    /// viewers that don't watch yet or have paused count, too.
    private var estimates: [(viewer: ConnectionID, bitrate: Bitrate)] {
        let isSplit = slowViewers != .slowestDecides
        let native = sessions.values.compactMap { session -> (viewer: ConnectionID, bitrate: Bitrate)? in
            guard !isSplit || session.state == .playing, let media = session.media else { return nil }
            return (session.id, media.targetBitrate)
        }
        let browsers = web.sessions.values.compactMap { session in
            isSplit && session.picture.isPaused
                ? nil : session.wantedBitrate.map { (viewer: session.id, bitrate: min($0, agreedBitrate)) }
        }
        return native + browsers
    }
}
