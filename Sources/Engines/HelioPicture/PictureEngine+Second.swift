internal import HelioCore

/// The second encoding, for viewers on paths with a far lower rate.
extension PictureEngine {
    mutating func setSecond(_ bitrate: Bitrate?, now: Instant) {
        guard let bitrate else { return endSecond() }
        guard second != nil else { return beginSecond(bitrate, now: now) }
        second?.agreed.bitrate = bitrate
        second?.setRate(bitrate, now: now)
        second?.adapt(now: now)
    }

    mutating func beginSecond(_ bitrate: Bitrate, now: Instant) {
        guard fillsFurtherPictures else {
            return loseSecond(HelioError(.unsupported, "this screen gives one picture alone."))
        }
        var agreed = main.coded
        agreed.size = agreedSize
        agreed.framesPerSecond = max(1, main.agreed.framesPerSecond / 2)
        agreed.bitrate = bitrate
        second = Encode(
            second: agreed, watch: main.watch, preferred: secondPreference, isFallenBack: main.isFallenBack,
            followsPath: main.followsPath, frameIndex: nextSecondIndex, screen: screen.size, now: now)
    }

    mutating func endSecond() {
        guard let ended = second else { return }
        nextSecondIndex = ended.frameIndex
        second = nil
        toldFormats[.second] = nil
        secondBegan = nil
        if shot?.encode == .second { shot = nil }
        agenda.append(.close(.second))
    }

    /// Restarts the second encoding, as the agreed format or the screen's size has changed.
    mutating func renewSecond(now: Instant) {
        guard let bitrate = second?.agreed.bitrate else { return }
        endSecond()
        beginSecond(bitrate, now: now)
    }

    mutating func loseSecond(_ error: HelioError) {
        endSecond()
        tell(.trouble(.failed))
        note("There is no second encode for slow viewers: \(error.message)")
        tell(.secondFailed)
    }
}
