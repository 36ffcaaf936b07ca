internal import HelioCore
internal import HelioPhoneWire

/// The phone's encoder.
extension AndroidPhone {
    mutating func makeLadder() {
        guard let device = link.device, let display = link.display else { return }
        let limit: PixelSize? =
            switch (settings.largest, largest) {
            case (let a?, let b?): PixelSize(width: min(a.width, b.width), height: min(a.height, b.height))
            case (let a, let b): a ?? b
            }
        link.ladder = EncoderLadder(
            device.encoders, of: display.size, codecs: settings.codecs, limit: limit?.turned(as: display.size))
    }

    mutating func setWatched(_ watched: Bool, _ now: Instant) {
        guard watched != isWatched else { return }
        isWatched = watched
        guard phase == .running, !link.isNew else { return }
        if watched {
            startEncoder(now)
        } else if let encode = link.encode {
            order(.stop(encode: encode.number))
            (link.encode, link.demand) = (nil, KeyframeDemand())
        }
    }

    mutating func setLargest(_ size: PixelSize?, _ now: Instant) {
        guard size != largest else { return }
        largest = size
        guard phase == .running, !link.isNew else { return }
        let before = link.ladder?.present?.size
        makeLadder()
        if link.ladder?.present?.size != before { startEncoder(now) }
    }

    /// Sets the bitrate while the encoder runs. Changes below 3 % are left out, as each costs the encoder a moment.
    mutating func setBitrate(_ bits: Int) {
        bitrate = max(50_000, min(bits, settings.bitrate))
        guard let encode = link.encode, link.hasStarted else { return }
        let wanted = min(bitrate, Int(encode.rung.encoder.bitrate))
        guard abs(wanted - link.bitrate) * 33 > link.bitrate else { return }
        link.bitrate = wanted
        order(.parameters(encode: encode.number, [EncoderSettings.bitrate(wanted)]))
    }

    /// Starts the present encoding of the ladder, in place of a running one.
    mutating func startEncoder(_ now: Instant) {
        guard isWatched, let rung = link.ladder?.present, let device = link.device else { return }
        link.lastEncode &+= 1
        link.encode = (link.lastEncode, rung)
        (link.hasStarted, link.hasKeyframe, link.configuration) = (false, false, [])
        link.bitrate = min(bitrate, Int(rung.encoder.bitrate))
        statistics.encoders += 1
        link.demand.restarted(now: now)
        order(
            .encode(
                PhoneEncode(
                    encode: link.lastEncode, codec: rung.encoder.codec, size: rung.size, name: rung.encoder.name,
                    settings: EncoderSettings.start(
                        bitrate: link.bitrate, framesPerSecond: settings.framesPerSecond, sdk: device.sdk,
                        isPlain: rung.isPlain))))
    }

    mutating func started(_ number: UInt8, _ size: PixelSize, _ codec: VideoCodec) {
        guard number == link.encode?.number, let screen = link.display?.size, !link.hasStarted else { return }
        link.hasStarted = true
        tell(.format(codec: codec, size: size, screen: screen))
        // The bitrate may have changed since the order.
        setBitrate(bitrate)
    }

    mutating func refused(_ number: UInt8, _ stage: PhoneEncodeStage, _ reason: String, _ now: Instant) {
        guard let encode = link.encode, number == encode.number else { return }
        let line = String(reason.prefix(200))
        if link.hasKeyframe {
            link.runFailures = link.runFailures.filter { now - $0 < .seconds(10) } + [now]
            if link.runFailures.count < AndroidSettings.attempts { return startEncoder(now) }
            link.runFailures = []
        }
        link.ladder?.refuse(encoderIsGone: stage == .create)
        guard let next = link.ladder?.present else {
            return fail(stage == .capture ? .captureFailed(line) : .encodersRefused(line))
        }
        // Another try at the same size, with fewer settings, is no news.
        if next.size != encode.rung.size || next.encoder != encode.rung.encoder {
            tell(
                .note(
                    "The phone's encoder \(encode.rung.encoder.name) refuses \(encode.rung.size); "
                        + "\(next.encoder.name) at \(next.size) is tried."))
        }
        startEncoder(now)
    }

    mutating func take(_ picture: PhonePicture, _ now: Instant) {
        guard let encode = link.encode, picture.encode == encode.number else {
            return statistics.drops.count(.oldPicture)
        }
        guard picture.isKeyframe || link.hasKeyframe else { return statistics.drops.count(.beforeKeyframe) }
        var bytes = picture.annexB
        if picture.isKeyframe {
            link.hasKeyframe = true
            link.demand.arrived()
            statistics.keyframes += 1
            if !Self.hasParameterSets(bytes, encode.rung.encoder.codec) { bytes = link.configuration + bytes }
        }
        var captured = link.clock.instant(of: picture.microseconds, .picture, now: now)
        if let last = link.lastCaptured { captured = max(captured, last) }
        link.lastCaptured = captured
        statistics.pictures += 1
        statistics.pictureBytes += bytes.count
        tell(.picture(AndroidPicture(isKeyframe: picture.isKeyframe, annexB: bytes, captured: captured)))
    }

    /// True if an access unit begins with parameter sets, perhaps after a delimiter.
    private static func hasParameterSets(_ bytes: [UInt8], _ codec: VideoCodec) -> Bool {
        var place = 0
        while place + 4 < bytes.count {
            guard bytes[place] == 0, bytes[place + 1] == 0 else {
                place += 1
                continue
            }
            let start =
                bytes[place + 2] == 1 ? place + 3 : bytes[place + 2] == 0 && bytes[place + 3] == 1 ? place + 4 : nil
            guard let start, start < bytes.count else {
                place += 1
                continue
            }
            let type = codec == .h264 ? bytes[start] & 0x1F : bytes[start] >> 1 & 0x3F
            let (delimiter, sets): (UInt8, ClosedRange<UInt8>) = codec == .h264 ? (9, 7...8) : (35, 32...34)
            guard type == delimiter else { return sets.contains(type) }
            place = start + 1
        }
        return false
    }

    /// Takes the steps to a keyframe that are due.
    mutating func pursueKeyframe(_ now: Instant) {
        guard let encode = link.encode, let step = link.demand.take(now: now) else { return }
        switch step {
        case .request:
            statistics.keyframesAsked += 1
            order(.parameters(encode: encode.number, [EncoderSettings.keyframe]))
        case .resurface:
            statistics.resurfaced += 1
            order(.resurface(encode: encode.number))
            order(.parameters(encode: encode.number, [EncoderSettings.keyframe]))
        case .restart:
            statistics.restarted += 1
            startEncoder(now)
        }
    }
}
