internal import HelioCore

/// Writes pictures and sound to a file, and to another one if the codec changes. Confined to one thread.
///
/// A file's time zero is the capture time of its first keyframe. Two clocks are used: the capture clock, which may be
/// another machine's, and this machine's clock, by which files are flushed.
final class Recording {
    /// The interval of flushes. Data after the last flush is lost if the program is killed.
    static let flushInterval = Duration.milliseconds(500)
    /// The time after a track's last packet after which silence is written.
    private static let patience = Duration.milliseconds(500)
    /// The maximum difference of the capture clock from its expected time. A larger difference means another machine's
    /// clock.
    private static let clockTolerance = Duration.seconds(10)
    /// The shortest duration of a picture in units of 1/`pictureScale` s: 1 ms, as Matroska's times are whole
    /// milliseconds.
    private static let shortest = MediaMuxer.pictureScale / 1000

    private let options: RecorderOptions
    private let container: RecordingContainer
    private let tell: (RecordingNews) -> Void
    private var file: RecordingFile
    private var muxer: MediaMuxer?
    private var codec: VideoCodec?
    private var origin = Instant.zero
    /// The last picture, which is not written yet, since its duration is only known when the next picture arrives.
    private var pending: (picture: RecordedPicture, at: Int64, since: Instant)?
    private var lastPicture: Int64 = 0
    private var sound: [SoundOrigin: SoundTimeline] = [:]
    /// The arrival time of each track's last packet.
    private var lastSound: [SoundOrigin: Instant] = [:]
    /// The latest time on the capture clock, and the same instant on this machine's clock.
    private var clock: (captured: Instant, now: Instant)?
    private var lastFlush = Instant.zero
    private var needsFlush = false
    private var bytesBefore: Int64 = 0
    private var drops = DropCounter<RecordingDrop>()
    private var progress: RecordingStatistics

    /// Makes the file. Throws `invalidArgument` if the name has no known extension or is taken, and `systemFailed` if
    /// the file can't be made.
    ///
    /// - Parameter tell: called with each event, from within the methods of this object.
    init(_ options: RecorderOptions, tell: @escaping (RecordingNews) -> Void) throws(HelioError) {
        guard let container = RecordingContainer(ofFileNamed: options.path) else {
            throw HelioError(
                .invalidArgument, "\(options.path): the name of a recording ends with .mp4, or with .mkv for Matroska.")
        }
        self.options = options
        self.container = container
        self.tell = tell
        file = try RecordingFile(options.path, overwrites: options.overwrites)
        progress = RecordingStatistics(path: options.path)
    }

    var state: RecordingState { progress.state }

    var statistics: RecordingStatistics {
        var statistics = progress
        statistics.bytes = bytesBefore + file.size
        statistics.drops = drops.byName
        return statistics
    }

    private var isRunning: Bool { state == .waiting || state == .recording }

    /// Accepts a picture, which is written when the next picture arrives.
    ///
    /// - Parameter since: the picture's time of arrival.
    func take(_ picture: RecordedPicture, since: Instant) {
        guard isRunning else { return }
        if muxer == nil || codec != picture.codec, !begin(with: picture, now: since) { return }
        follow(picture.captured, since)
        let at = max(time(of: picture.captured), pending.map { $0.at + Self.shortest } ?? lastPicture)
        writePending(until: at)
        pending = (picture, at, since)
        needsFlush = true
        progress.pictures += 1
    }

    /// Writes a packet of sound, `length` sample frames long, at its time in the file.
    func take(_ packet: RecordedSound, length: Int, since: Instant) {
        guard isRunning, let muxer, var timeline = sound[packet.origin] else { return }
        follow(packet.captured, since)
        let heard = frames(to: packet.captured)
        // Sound that ends before the first picture is left out.
        guard heard + Int64(length) > 0 else { return }
        lastSound[packet.origin] = since
        switch timeline.place(heard: heard, length: Int64(length)) {
        case .late: drops.count(.late)
        case .after(let silence, let at):
            writeSilence(of: packet.origin, at: at - silence, length: silence)
            muxer.write(sound: packet.payload, of: packet.origin, at: at, lasting: Int64(length))
            progress.soundPackets += 1
            needsFlush = true
        }
        sound[packet.origin] = timeline
    }

    /// Counts a payload that is not a valid Opus packet.
    func refuseSound() { drops.count(.noOpus) }

    /// Does the work that is due: writes silence to tracks without recent sound, and flushes.
    func tick(now: Instant) {
        guard isRunning, let muxer, now - lastFlush >= Self.flushInterval else { return }
        fill(now: now)
        // The pending picture is written with the shortest duration if no next picture has arrived, as its own duration
        // is not known.
        if let pending, now - pending.since >= Self.flushInterval { writePending(until: pending.at + Self.shortest) }
        lastFlush = now
        guard needsFlush else { return }
        needsFlush = pending != nil
        attempt(now) { () throws(HelioError) in try muxer.flush() }
    }

    /// Ends the file, whose last picture lasts until `now`.
    func finish(now: Instant) {
        guard isRunning else { return }
        fill(now: now)
        endFile(now: now)
        guard isRunning else { return }
        file.removeIfEmpty()
        progress.state = .finished
        progress.ended = now
    }

    // MARK: Files

    /// Begins a file with a keyframe. Returns false if the picture is not a keyframe, if it has no usable parameter
    /// sets, or if the file can't be written.
    private func begin(with picture: RecordedPicture, now: Instant) -> Bool {
        guard picture.isKeyframe, let head = PictureHead(of: picture.annexB, codec: picture.codec) else {
            drops.count(picture.isKeyframe ? .undescribed : .withoutKeyframe)
            return false
        }
        let isFirst = muxer == nil
        if !isFirst {
            endFile(now: now)
            guard isRunning else { return false }
        }
        attempt(now) { () throws(HelioError) in
            if !isFirst {
                let next = try nextFile()
                bytesBefore += file.size
                file = next
                progress.path = next.path
                progress.files += 1
            }
            muxer = try MediaMuxer(file, container, codec: picture.codec, head: head, sound: options.sound)
        }
        guard isRunning else { return false }
        codec = picture.codec
        origin = picture.captured
        (pending, lastPicture, clock) = (nil, 0, nil)
        for origin in options.sound { sound[origin] = SoundTimeline() }
        lastFlush = now
        progress.state = .recording
        if isFirst { progress.began = now }
        tell(isFirst ? .began(path: file.path) : .continued(path: file.path))
        return true
    }

    /// Creates the next file: NAME-2.mp4, or the next number that is not taken.
    private func nextFile() throws(HelioError) -> RecordingFile {
        let path = options.path
        let end = path.lastIndex(of: ".") ?? path.endIndex
        var number = progress.files + 1
        while true {
            do throws(HelioError) {
                return try RecordingFile("\(path[..<end])-\(number)\(path[end...])", overwrites: options.overwrites)
            } catch {
                // An existing file of this name is left alone.
                guard error.code == .invalidArgument, number < progress.files + 1000 else { throw error }
                number += 1
            }
        }
    }

    private func endFile(now: Instant) {
        guard let muxer else { return }
        if let pending {
            let shown = pending.at + units(now - pending.since, of: MediaMuxer.pictureScale)
            writePending(until: max(pending.at + Self.shortest, shown))
        }
        attempt(now) { () throws(HelioError) in try muxer.finish() }
    }

    /// Runs a step that may fail. A failure ends the recording only.
    private func attempt(_ now: Instant, _ body: () throws(HelioError) -> Void) {
        do throws(HelioError) {
            try body()
        } catch {
            progress.state = .failed
            progress.ended = now
            muxer = nil
            pending = nil
            file.removeIfEmpty()
            tell(.failed(error))
        }
    }

    // MARK: Times

    /// Follows the capture clock. A jump means another machine's clock; the origin is then moved, so that the file's
    /// times continue without a jump.
    private func follow(_ captured: Instant, _ now: Instant) {
        if let clock {
            let leap = (captured - clock.captured) - (now - clock.now)
            if leap > Self.clockTolerance || leap < .zero - Self.clockTolerance { origin = origin + leap }
        }
        clock = (captured, now)
    }

    private func writePending(until end: Int64) {
        guard let pending else { return }
        self.pending = nil
        lastPicture = pending.at + Self.shortest
        muxer?.write(
            picture: pending.picture.annexB, at: pending.at, lasting: end - pending.at,
            isKeyframe: pending.picture.isKeyframe)
    }

    /// Writes silence up to the time `patience` ago to tracks without recent packets, so that a file's sound is as long
    /// as its video.
    private func fill(now: Instant) {
        guard let clock else { return }
        let present = clock.captured + (now - clock.now)
        for origin in options.sound {
            if let last = lastSound[origin], now - last < Self.patience { continue }
            guard var timeline = sound[origin] else { continue }
            if let gap = timeline.fill(to: frames(to: present - Self.patience)) {
                writeSilence(of: origin, at: gap.at, length: gap.length)
                needsFlush = true
            }
            sound[origin] = timeline
        }
    }

    private func writeSilence(of origin: SoundOrigin, at: Int64, length: Int64) {
        var at = at
        OpusSilence.forEachPacket(of: length) { payload, frames in
            muxer?.write(sound: payload, of: origin, at: at, lasting: frames)
            at += frames
        }
    }

    private func time(of captured: Instant) -> Int64 { units(captured - origin, of: MediaMuxer.pictureScale) }
    private func frames(to captured: Instant) -> Int64 { units(captured - origin, of: MediaMuxer.soundScale) }

    /// Converts a duration to units of 1/`scale` s.
    private func units(_ duration: Duration, of scale: Int64) -> Int64 {
        let (seconds, rest) = duration.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * scale + rest * scale / 1_000_000_000
    }
}
