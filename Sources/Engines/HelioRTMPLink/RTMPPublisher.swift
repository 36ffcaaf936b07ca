internal import HelioBroadcast
package import HelioCore
import HelioRTMP

/// Publishes a stream by RTMP, from connection to connection, until it is refused for good or closed.
///
/// ``RTMPUnit``s wait in a queue that is bounded by age, and only a little is given to the connection ahead of what it
/// takes: a server that stalls costs whole groups of pictures. Each connection begins with a keyframe, which is wished
/// for when the server takes the stream.
package struct RTMPPublisher: Engine {
    package enum Input: Sendable {
        case link(RTMPLinkEvent)
        case unit(RTMPUnit)
        /// Send what waits, if that goes soon, and end.
        case close
    }

    package enum Output: Sendable, Equatable {
        case link(RTMPLinkCommand)
        case event(RTMPEvent)
    }

    private enum Phase {
        /// Until the retry.
        case waiting(until: Instant)
        case opening(until: Instant)
        case talking
        case over
    }

    /// The most bytes that are given to the connection ahead of what it takes: more wait where whole groups are dropped.
    private static let ahead = 32 << 10
    private static let pieceSize = 16 << 10
    /// The most bytes of answers that wait: a server that asks and does not read is given up.
    private static let mostUnsent = 1 << 20
    /// A stream that went on for so long was no refusal.
    private static let success = Duration.seconds(10)
    /// So often a server may hang up in answer to the key, or say no for a reason that is not known.
    private static let mostRefusals = 6
    /// For so long a server may hold our last connection to be another's.
    private static let nameHeld = Duration.seconds(120)
    private static let measureInterval = Duration.seconds(1)
    private static let mostMarks = 256

    private let stream: RTMPStream
    private let options: RTMPOptions
    private var random: SeededGenerator
    private var phase: Phase
    private var dialogue: RTMPDialogue?
    private var queue: RTMPUnitQueue
    private var video: FLVVideoWriter?
    private var timeline = RTMPTimeline()
    private var metadataSize: PixelSize?
    private var hasMetadata = false
    private var hasSound = false
    private var outputs: [Output] = []
    private var taken = 0

    private var retry = BroadcastRetry()
    private var refusals = 0
    private var stepSince: Instant
    private var step: RTMPWait?
    private var publishingSince: Instant?
    private var publishedLast: Instant?
    private var closesAt: Instant?
    private var hasSaidGoodbye = false

    private var unsent = 0
    private var progressAt: Instant
    /// What of a connection's bytes was taken by when.
    private var written: UInt32 = 0
    private var marks: [(count: UInt32, at: Instant)] = []
    private var measuredAt: Instant
    private var measuredBytes: Int64 = 0
    private var tally = RTMPStatistics()

    /// Begins to connect with the first ``tick(now:)``.
    ///
    /// - Parameter seed: of what the handshake has to be random: no secret.
    package init(_ stream: RTMPStream, options: RTMPOptions = RTMPOptions(), seed: UInt64, now: Instant) {
        self.stream = stream
        self.options = options
        random = SeededGenerator(seed: seed)
        phase = .waiting(until: now)
        queue = RTMPUnitQueue(age: options.queueAge)
        video = stream.video.map { FLVVideoWriter($0) }
        (stepSince, progressAt, measuredAt) = (now, now, now)
    }

    package var statistics: RTMPStatistics {
        var statistics = tally
        statistics.unsentBytes = unsent
        statistics.waiting = queue.count
        statistics.drops.add(queue.drops)
        return statistics
    }

    package mutating func poll() -> Output? {
        guard taken < outputs.count else {
            outputs.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        taken += 1
        return outputs[taken - 1]
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        if case .over = phase {
            if case .unit = input { queue.refuse(.ended) }
            return
        }
        switch input {
        case .link(let event): take(event, now)
        case .unit(let unit): take(unit, now)
        case .close: close(now)
        }
        tick(now: now)
    }

    package mutating func tick(now: Instant) {
        switch phase {
        case .waiting(let until):
            if now >= until { connect(now) }
        case .opening(let until):
            if now >= until { fail(.silent(.connection), now) }
        case .talking: advance(now)
        case .over: break
        }
    }

    package var deadline: Deadline? {
        switch phase {
        case .waiting(let until): return Deadline(at: until, why: "the server is tried again")
        case .opening(let until): return Deadline(at: until, why: "the server is not reached")
        case .over: return nil
        case .talking:
            var next = Deadline(at: measuredAt + Self.measureInterval, why: "the rate is measured")
            if dialogue?.wait != nil {
                next =
                    Deadline.earliest(
                        Deadline(at: stepSince + options.stepTimeout, why: "the server does not answer"), next) ?? next
            }
            if unsent > 0 {
                next =
                    Deadline.earliest(
                        Deadline(at: progressAt + options.stallTimeout, why: "the server takes nothing"), next) ?? next
            }
            if let closesAt { next = Deadline.earliest(Deadline(at: closesAt, why: "the time to end"), next) ?? next }
            return Deadline.earliest(queue.deadline, next)
        }
    }

    // MARK: - Connecting

    private mutating func connect(_ now: Instant) {
        phase = .opening(until: now + options.stepTimeout)
        tell(.connecting)
        outputs.append(.link(.connect))
    }

    private mutating func take(_ event: RTMPLinkEvent, _ now: Instant) {
        switch (event, phase) {
        case (.connected, .opening): begin(now)
        case (.failed(let reason), .opening): fail(reason, now)
        case (.refused(let refusal), .opening), (.refused(let refusal), .talking): end(.refused(refusal))
        case (.disconnected, .opening): fail(.lost, now)
        case (.disconnected, .talking): disconnected(now)
        case (.received(let bytes), .talking): receive(bytes, now)
        case (.written(let count), .talking): wrote(count, now)
        default: break
        }
    }

    private mutating func begin(_ now: Instant) {
        phase = .talking
        var bytes: [UInt8] = []
        for _ in 0..<(RTMP.handshakeSize - 8) / 8 { bytes.append(bigEndian: random.next() as UInt64) }
        dialogue = RTMPDialogue(stream, random: bytes)
        // It knows the newest parameter sets: an encoder may give them once.
        video?.restart()
        timeline = RTMPTimeline()
        (metadataSize, hasMetadata, hasSound) = (nil, false, false)
        (stepSince, step, publishingSince) = (now, nil, nil)
        (unsent, progressAt, written, marks) = (0, now, 0, [])
        (measuredAt, measuredBytes) = (now, tally.sentBytes)
        (tally.rate, tally.roundTrip) = (0, .zero)
    }

    private mutating func receive(_ bytes: [UInt8], _ now: Instant) {
        guard var current = dialogue else { return }
        dialogue = nil
        do throws(RTMPEnd) {
            defer { dialogue = current }
            try current.receive(bytes, now: now)
        } catch {
            return finish(error, now)
        }
        if let time = dialogue?.roundTrip {
            dialogue?.roundTrip = nil
            tally.roundTrip = time
        }
        if let count = dialogue?.acknowledgement {
            dialogue?.acknowledgement = nil
            acknowledged(count, now)
        }
    }

    /// Ends a connection as its dialogue did.
    private mutating func finish(_ reason: RTMPEnd, _ now: Instant) {
        switch reason {
        case .refused(.badKey) where publishedLast.map({ now - $0 < Self.nameHeld }) ?? false:
            fail(.nameInUse, now)
        case .refused(let refusal): end(.refused(refusal))
        case .broken(.busy):
            if publishingSince == nil, countRefusal() { return end(.refused(.unknown)) }
            fail(.busy, now)
        case .broken(let reason): fail(reason, now)
        }
    }

    private mutating func disconnected(_ now: Instant) {
        if closesAt != nil { return end(.closed) }
        let isEarly = publishingSince.map { now - $0 < Self.success } ?? (dialogue?.wait == .publish)
        guard isEarly else { return fail(.lost, now) }
        if countRefusal() { return end(.refused(.hangsUp)) }
        fail(.hungUp, now)
    }

    private mutating func countRefusal() -> Bool {
        refusals += 1
        return refusals >= Self.mostRefusals
    }

    /// The end of a connection, after which another one is tried.
    private mutating func fail(_ reason: RTMPBreak, _ now: Instant) {
        leave(.lostConnection, now)
        if closesAt != nil { return end(.closed) }
        phase = .waiting(until: now + retry.next())
        tell(.broken(reason))
    }

    private mutating func end(_ state: RTMPState) {
        if case .over = phase { return }
        leave(.ended, nil)
        phase = .over
        tell(state)
    }

    /// - Parameter now: `nil` where nothing follows.
    private mutating func leave(_ reason: RTMPDrop, _ now: Instant?) {
        switch phase {
        case .opening, .talking: outputs.append(.link(.close))
        case .waiting, .over: break
        }
        if publishingSince != nil, let now { publishedLast = now }
        publishingSince = nil
        dialogue = nil
        unsent = 0
        tally.rate = 0
        queue.clear(reason)
    }

    private mutating func tell(_ state: RTMPState) { outputs.append(.event(.state(state))) }

    // MARK: - Publishing

    private mutating func take(_ unit: RTMPUnit, _ now: Instant) {
        guard closesAt == nil else { return queue.refuse(.ended) }
        guard publishingSince != nil else { return queue.refuse(.notConnected) }
        guard unit.kind == .sound ? stream.sound != nil : stream.video != nil else { return queue.refuse(.unusable) }
        queue.put(unit, now: now)
    }

    /// Does what can be done, and what is due.
    private mutating func advance(_ now: Instant) {
        if let wait = dialogue?.wait {
            if wait != step { (step, stepSince) = (wait, now) }
            if now - stepSince >= options.stepTimeout { return fail(.silent(wait), now) }
        } else if publishingSince == nil {
            publishingSince = now
            tally.connections += 1
            tell(.publishing)
            if stream.video != nil { outputs.append(.event(.wantsKeyframe)) }
        }
        if let since = publishingSince, now - since >= Self.success {
            retry.succeed()
            refusals = 0
        }
        queue.dropOld(now: now)
        flush(now)
        if unsent > Self.mostUnsent + FLVVideoWriter.maximumPicture { return fail(.flooded, now) }
        while unsent < Self.ahead, publishingSince != nil, let unit = queue.takeFirst(now: now) {
            write(unit)
            flush(now)
        }
        if queue.takeWish() { outputs.append(.event(.wantsKeyframe)) }
        if unsent > 0, now - progressAt >= options.stallTimeout { return fail(.stalled, now) }
        measure(now)
        if let closesAt { finishClosing(by: closesAt, now) }
    }

    private mutating func write(_ unit: RTMPUnit) {
        let isSound = unit.kind == .sound
        // Players take what comes first for the beginning of both.
        if isSound, stream.video != nil, timeline.isEmpty { return queue.refuse(.beforeFirstPicture) }
        if isSound { return writeSound(unit) }
        var tags: FLVVideoWriter.Output?
        do throws(FLVVideoFault) {
            let offset = unit.decode.map { unit.presentation - $0 } ?? .zero
            // 24 bits of it, with a sign.
            let milliseconds = Int32(max(-1 << 23, min(offset.nanoseconds / 1_000_000, 1 << 23 - 1)))
            tags = try video?.write(annexB: unit.bytes, offset: milliseconds)
        } catch {
            return queue.refuse(.unusable, breaks: error != .noPicture || unit.kind == .keyframe)
        }
        guard let tags, let time = timeline.time(of: unit.decode ?? unit.presentation, isSound: false) else {
            return queue.refuse(.unusable, breaks: true)
        }
        tellMetadata()
        if let configuration = tags.configuration { dialogue?.send(.video, at: time, configuration.bytes) }
        dialogue?.send(.video, at: time, tags.picture.bytes)
        tally.sentPictures += 1
    }

    private mutating func writeSound(_ unit: RTMPUnit) {
        guard let sound = stream.sound, unit.bytes.count <= 1 << 16 else { return queue.refuse(.unusable) }
        guard let time = timeline.time(of: unit.presentation, isSound: true) else {
            return queue.refuse(.beforeFirstPicture)
        }
        if stream.video == nil { tellMetadata() }
        if !hasSound {
            hasSound = true
            dialogue?.send(.sound, at: time, sound.configuration.bytes)
        }
        dialogue?.send(.sound, at: time, FLVSoundTag.packet(sound.codec, unit.bytes).bytes)
        tally.sentSounds += 1
    }

    /// Ahead of the first unit, and whenever the size changes.
    private mutating func tellMetadata() {
        let size = video?.size
        guard !hasMetadata || size != metadataSize else { return }
        (hasMetadata, metadataSize) = (true, size)
        var metadata = RTMPMetadata(codec: stream.video, size: size, sound: stream.sound)
        metadata.framesPerSecond = stream.framesPerSecond
        metadata.bitrate = stream.bitrate
        metadata.soundBitrate = stream.soundBitrate
        dialogue?.send(metadata)
    }

    // MARK: - The connection's bytes

    private mutating func flush(_ now: Instant) {
        guard let bytes = dialogue?.output, !bytes.isEmpty else { return }
        dialogue?.output = []
        if unsent == 0 { progressAt = now }
        unsent += bytes.count
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.pieceSize, bytes.count)
            outputs.append(.link(.send(Array(bytes[start..<end]))))
            start = end
        }
    }

    private mutating func wrote(_ count: Int, _ now: Instant) {
        let count = max(0, min(count, unsent))
        guard count > 0 else { return }
        unsent -= count
        progressAt = now
        tally.sentBytes += Int64(count)
        written &+= UInt32(truncatingIfNeeded: count)
        marks.append((written, now))
        if marks.count > Self.mostMarks { marks.removeFirst(Self.mostMarks / 2) }
    }

    /// A server has received so many bytes: how long ago were they sent?
    private mutating func acknowledged(_ count: UInt32, _ now: Instant) {
        // One from before the last wrap of 32 bits, or of what was never sent, tells nothing.
        guard written &- count < 0x8000_0000,
            let index = marks.firstIndex(where: { Int32(bitPattern: $0.count &- count) >= 0 })
        else { return }
        tally.roundTrip = now - marks[index].at
        marks.removeFirst(index)
    }

    private mutating func measure(_ now: Instant) {
        let passed = now - measuredAt
        guard passed >= Self.measureInterval else { return }
        tally.rate = Double(tally.sentBytes - measuredBytes) * 8 / passed.inSeconds
        (measuredAt, measuredBytes) = (now, tally.sentBytes)
    }

    // MARK: - The end

    private mutating func close(_ now: Instant) {
        guard closesAt == nil else { return }
        guard publishingSince != nil else { return end(.closed) }
        closesAt = now + options.endTimeout
    }

    private mutating func finishClosing(by time: Instant, _ now: Instant) {
        if queue.isEmpty, !hasSaidGoodbye {
            hasSaidGoodbye = true
            dialogue?.end()
            flush(now)
        }
        if now >= time || hasSaidGoodbye && unsent == 0 { end(.closed) }
    }
}
