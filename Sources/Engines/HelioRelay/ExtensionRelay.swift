private import DequeModule
private import HelioBitstream
package import HelioCore
package import HelioRelayWire

/// The extension's end of the relay (requirement rows 134 to 138, 142 and 154). It sends pictures and sound to the app
/// in messages.
///
/// The relay connects, sends hello, and sends media after the app's welcome. The driver gets one chunk of bytes at a
/// time; the next chunk follows after `sent`.
///
/// The queue is bounded in bytes and age, so that a slow app causes dropped pictures and not memory growth. If the
/// queue is full, all queued pictures are dropped, and all following pictures until a keyframe. The keyframe is
/// requested once no picture is in flight. So the app never receives a picture without its reference pictures.
///
/// If the app is silent for `ExtensionRelaySettings.silence`, or the socket closes, the relay reconnects, with
/// exponential backoff and random jitter. After an end message from the app it does not reconnect.
package struct ExtensionRelay: Engine, ~Copyable {
    package enum Input: Sendable {
        /// The socket is connected.
        case connected
        /// The socket could not be connected, was closed, or has failed.
        case closed
        /// Bytes received from the app.
        case received([UInt8])
        /// The kernel has accepted all bytes of the last `Output.send`.
        case sent
        /// The format of the pictures that follow.
        case format(RelayFormat)
        /// A picture or one of its slices. The capture time is on the system's monotonic clock; the slices of a picture
        /// have the same `frameIndex`.
        case slice(EncodedSlice)
        case sound(RelaySound)
        /// Ends the relay, as the broadcast has ended: sends the queue, and then an end message.
        case end
    }

    package enum Output: Sendable, Hashable {
        /// Opens the socket; `connected` or `closed` follows.
        case connect
        /// Sends bytes on the socket. No further ``send(_:)`` follows before `Input.sent`.
        case send([UInt8])
        /// Closes the socket. No more of its events may be reported.
        case close
        case event(ExtensionRelayEvent)
    }

    private enum Link: Equatable {
        /// The relay is not connected; the next attempt follows at this instant.
        case away(until: Instant)
        case connecting
        /// The relay is connected, and waits for the app's welcome.
        case greeting
        case open
        /// The relay sends the queue and the end message, with this time limit.
        case ending(until: Instant)
        case stopped
    }

    package private(set) var statistics = ExtensionRelayStatistics()

    private let settings: ExtensionRelaySettings
    private let limits = RelayLimits()
    private var random: SeededGenerator
    private var format: RelayFormat
    private var link: Link
    private var reader = RelayReader(from: .app)
    private var outputs = Deque<Output>()
    private var queue = RelayQueue()
    private var inFlight: RelayChunk?
    private var inFlightSince = Instant.zero
    private var lastHeard = Instant.zero
    private var lastSent = Instant.zero
    private var retry: Duration

    /// The index of the picture whose slices are being queued; `nil` between pictures, and while a picture is dropped.
    private var admitted: UInt64?
    private var needsKeyframe = true
    /// True if a keyframe has to be requested once no picture is queued or in flight.
    private var owesRequest = false
    private var lastRequest: Instant?
    /// The last encoder limits from the connected app; `nil` before the first.
    private var wish: RelayWish?
    /// The encoder's last parameter sets, serialised as relay messages.
    private var parameterSets: [UInt8] = []

    /// - Parameters:
    ///   - format: the initial format of the pictures.
    ///   - random: the generator for the jitter of reconnection attempts.
    package init(
        format: RelayFormat, settings: ExtensionRelaySettings = ExtensionRelaySettings(), random: SeededGenerator,
        now: Instant
    ) {
        precondition(format.isValid, "no encoder codes this format")
        self.format = format
        self.settings = settings
        self.random = random
        retry = settings.firstRetry
        link = .away(until: now)
        lastHeard = now
    }

    /// The number of queued bytes, including the chunk in flight.
    package var waitingBytes: Int { queue.bytes + (inFlight?.bytes.count ?? 0) }

    package var isOpen: Bool { link == .open }
    package var isStopped: Bool { link == .stopped }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .connected: connected(now)
        case .closed: lose(.closed, now)
        case .received(let bytes): receive(bytes, now)
        case .sent: sent(now)
        case .format(let format): change(to: format, now)
        case .slice(let slice): take(slice, now)
        case .sound(let sound): take(sound, now)
        case .end: end(now)
        }
        pump(now)
    }

    package mutating func tick(now: Instant) {
        switch link {
        case .away(let until):
            if now >= until {
                link = .connecting
                outputs.append(.connect)
            }
        case .connecting, .stopped: break
        case .greeting: if now >= lastHeard + settings.silence { lose(.silent, now) }
        case .open:
            if now >= lastHeard + settings.silence {
                lose(.silent, now)
            } else if inFlight != nil, now >= inFlightSince + settings.sendTimeout {
                lose(.sendTimeout, now)
            } else if now >= lastSent + settings.heartbeat {
                lastSent = now
                // Other messages serve as heartbeats, too, so send a heartbeat only if no message is queued or in
                // flight.
                if inFlight == nil, queue.isEmpty { enqueue(.heartbeat, now) }
            }
        case .ending(let until): if now >= until { stop(.finished) }
        }
        pump(now)
    }

    package mutating func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        switch link {
        case .away(let until): return Deadline(at: until, why: "connect")
        case .connecting, .stopped: return nil
        case .greeting: return Deadline(at: lastHeard + settings.silence, why: "welcome")
        case .ending(let until): return Deadline(at: until, why: "farewell")
        case .open:
            let life = Deadline.earliest(
                Deadline(at: lastHeard + settings.silence, why: "silence"),
                Deadline(at: lastSent + settings.heartbeat, why: "heartbeat"))
            let send = inFlight.map { _ in Deadline(at: inFlightSince + settings.sendTimeout, why: "send") }
            return .earliest(life, send)
        }
    }

    // MARK: The connection

    private mutating func connected(_ now: Instant) {
        guard link == .connecting else { return }
        link = .greeting
        reader = RelayReader(from: .app)
        lastHeard = now
        lastSent = now
        enqueue(.hello(version: RelayMessage.version), now)
        enqueue(.format(format), now)
    }

    private mutating func receive(_ bytes: [UInt8], _ now: Instant) {
        switch link {
        case .greeting, .open, .ending: break
        case .away, .connecting, .stopped: return
        }
        reader.append(bytes)
        do throws(RelayWireError) {
            while let message = try reader.next() {
                lastHeard = now
                switch message {
                case .welcome: if link == .greeting { open(now) }
                case .keyframeRequest: if link == .open { requestKeyframe(now) }
                case .wish(let wish): if link == .open { take(wish) }
                case .end(let reason): return stop(reason)
                default: break
                }
            }
        } catch {
            lose(.violation(error), now)
        }
    }

    private mutating func open(_ now: Instant) {
        link = .open
        wish = nil
        retry = settings.firstRetry
        statistics.connections += 1
        outputs.append(.event(.connected))
        restart(now)
    }

    private mutating func take(_ wish: RelayWish) {
        guard wish != self.wish else { return }
        self.wish = wish
        outputs.append(.event(.wish(wish)))
    }

    private mutating func lose(_ loss: ExtensionRelayLoss, _ now: Instant) {
        switch link {
        case .away, .stopped: return
        case .ending: return stop(.finished)
        case .connecting: break
        case .greeting: outputs.append(.close)
        case .open:
            statistics.losses += 1
            outputs.append(.close)
            outputs.append(.event(.lost(loss)))
        }
        discard()
        // Add up to 20 % of random jitter, so that many extensions do not reconnect at the same time.
        link = .away(until: now + retry + .nanoseconds(Int64(Double(retry.nanoseconds) * 0.2 * random.unit())))
        retry = min(settings.longestRetry, retry * 2)
    }

    private mutating func stop(_ reason: RelayEndReason) {
        guard link != .stopped else { return }
        switch link {
        case .greeting, .open, .ending, .connecting: outputs.append(.close)
        case .away, .stopped: break
        }
        link = .stopped
        discard()
        outputs.append(.event(.stopped(reason)))
    }

    private mutating func end(_ now: Instant) {
        guard link == .open else { return stop(.finished) }
        // Drop a picture whose last slices are still missing.
        if admitted != nil { abandon(.pictureLost) }
        link = .ending(until: now + settings.farewell)
        enqueue(.end(.finished), now)
    }

    /// Drops and counts all queued messages, as the connection has ended.
    private mutating func discard() {
        // `removePictures` counts pictures with queued slices. Also count an incomplete picture whose slices have all
        // been sent, and a picture whose last slice is in flight.
        var pictures = 0
        if let admitted, !queue.contains(picture: admitted) { pictures += 1 }
        if case .picture(_, _, isLast: true)? = inFlight?.content { pictures += 1 }
        pictures += queue.removePictures()
        statistics.drops.count(.pictureLost, pictures)
        if inFlight?.content == .sound { statistics.drops.count(.soundLost) }
        statistics.drops.count(.soundLost, queue.removeAll())
        inFlight = nil
        admitted = nil
        needsKeyframe = true
        owesRequest = false
    }

    // MARK: Sending

    private mutating func enqueue(_ message: RelayMessage, _ now: Instant) {
        enqueue(RelayChunk(content: .control, bytes: message.serialised(), queued: now))
    }

    private mutating func enqueue(_ chunk: RelayChunk) {
        queue.append(chunk)
        statistics.mostWaiting = max(statistics.mostWaiting, waitingBytes)
    }

    private mutating func sent(_ now: Instant) {
        guard let chunk = inFlight else { return }
        inFlight = nil
        lastSent = now
        statistics.bytes += chunk.bytes.count
        switch chunk.content {
        case .control, .format: break
        case .sound: statistics.sounds += 1
        case .picture(_, _, let isLast): if isLast { statistics.pictures += 1 }
        }
    }

    /// Outputs the next chunk if none is in flight, and requests a keyframe if one is due.
    private mutating func pump(_ now: Instant) {
        switch link {
        case .greeting, .open, .ending: break
        case .away, .connecting, .stopped: return
        }
        if inFlight == nil {
            if let first = queue.first, first.isPicture, now - first.queued > settings.pictureAge {
                dropWaiting(.pictureLate)
            }
            if let chunk = queue.popFirst() {
                inFlight = chunk
                inFlightSince = now
                outputs.append(.send(chunk.bytes))
            } else if case .ending = link {
                return stop(.finished)
            }
        }
        if owesRequest, link == .open, !queue.hasPictures, !(inFlight?.isPicture ?? false) { requestKeyframe(now) }
    }

    // MARK: Pictures

    private mutating func change(to format: RelayFormat, _ now: Instant) {
        guard format.isValid, format != self.format else { return }
        self.format = format
        parameterSets = []
        guard link == .open || link == .greeting else { return }
        if admitted != nil { abandon(.pictureMalformed) }
        queue.removeLastFormat()
        enqueue(RelayChunk(content: .format, bytes: RelayMessage.format(format).serialised(), queued: now))
        if link == .open { restart(now) }
    }

    /// Drops all pictures until a keyframe, and requests one from the encoder.
    private mutating func restart(_ now: Instant) {
        admitted = nil
        needsKeyframe = true
        requestKeyframe(now)
    }

    private mutating func requestKeyframe(_ now: Instant) {
        owesRequest = false
        lastRequest = now
        outputs.append(.event(.keyframeNeeded))
    }

    /// Drops all queued pictures, so that only a keyframe can follow.
    private mutating func dropWaiting(_ reason: ExtensionDrop) {
        statistics.drops.count(reason, queue.removePictures())
        admitted = nil
        needsKeyframe = true
        owesRequest = true
    }

    private mutating func take(_ slice: EncodedSlice, _ now: Instant) {
        let content = RelayChunk.Content.picture(
            slice.frameIndex, isFirst: slice.isFirst, isLast: slice.isLast)
        if slice.isFirst {
            // The previous picture has no last slice, so drop it.
            if admitted != nil { abandon(.pictureMalformed) }
            // Store parameter sets even while no app is connected, as an encoder may output them only once.
            if slice.isKeyframe { learnParameterSets(slice.annexB.span.bytes) }
            guard link == .open else { return statistics.drops.count(.pictureUnheard) }
            if needsKeyframe, !slice.isKeyframe {
                statistics.drops.count(.pictureBroken)
                if !owesRequest, lastRequest.map({ now >= $0 + settings.keyframeRepeat }) ?? true {
                    requestKeyframe(now)
                }
                return
            }
        } else {
            // Ignore the slices of a picture that was dropped.
            guard admitted == slice.frameIndex else { return }
        }
        guard let bytes = serialised(slice) else {
            if !slice.isFirst { return abandon(.pictureMalformed) }
            needsKeyframe = true
            owesRequest = true
            return statistics.drops.count(.pictureMalformed)
        }
        let room = settings.pictureBytes - (inFlight?.isPicture == true ? inFlight?.bytes.count ?? 0 : 0)
        if queue.pictureBytes + bytes.count > room {
            if !slice.isFirst { return abandon(.pictureOverflow) }
            dropWaiting(.pictureOverflow)
            guard slice.isKeyframe, bytes.count <= room else {
                statistics.drops.count(.pictureOverflow)
                return
            }
        }
        if slice.isFirst, slice.isKeyframe {
            needsKeyframe = false
            owesRequest = false
        }
        admitted = slice.isLast ? nil : slice.frameIndex
        enqueue(RelayChunk(content: content, bytes: bytes, queued: now))
    }

    /// Drops the incomplete picture, with all queued pictures.
    private mutating func abandon(_ reason: ExtensionDrop) {
        guard let index = admitted else { return }
        // `dropWaiting` counts the picture only if any of its slices is still queued.
        let waits = queue.contains(picture: index)
        dropWaiting(reason)
        if !waits { statistics.drops.count(reason) }
    }

    /// Serialises a slice as messages. Returns `nil` if the slice has no NAL unit, or a NAL unit that is too long, or
    /// if it begins a keyframe and no parameter sets are known: they have to precede each keyframe (requirement row
    /// 142).
    private mutating func serialised(_ slice: EncodedSlice) -> [UInt8]? {
        let source = slice.annexB.span.bytes
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.byteCount + 64 + (slice.isKeyframe ? parameterSets.count : 0))
        if slice.isFirst {
            RelayMessage.pictureBegins(captured: slice.timing.captured, isKeyframe: slice.isKeyframe)
                .write(into: &bytes)
        }
        // If a keyframe has no parameter sets, insert the last known ones, after an access unit delimiter if there is
        // one.
        var missing = slice.isFirst && slice.isKeyframe && !hasParameterSets(source)
        if missing, parameterSets.isEmpty { return nil }
        var count = 0
        var cursor = AnnexB.Cursor()
        while let range = cursor.next(in: source) {
            guard range.count + 4 <= limits.nalUnit, let header = source.uint8(at: range.lowerBound) else { return nil }
            if missing, !NALHeader.isDelimiter(header, codec: format.codec) {
                bytes += parameterSets
                missing = false
            }
            RelayMessage.write(nalUnit: range, of: source, into: &bytes)
            count += 1
        }
        guard count > 0 else { return nil }
        if missing { bytes += parameterSets }
        if slice.isLast { RelayMessage.pictureEnds.write(into: &bytes) }
        return bytes
    }

    private func hasParameterSets(_ source: RawSpan) -> Bool {
        var cursor = AnnexB.Cursor()
        while let range = cursor.next(in: source) {
            if isParameterSet(range, source) { return true }
        }
        return false
    }

    /// Stores the parameter sets of a keyframe, if it has any.
    private mutating func learnParameterSets(_ source: RawSpan) {
        var sets: [UInt8] = []
        var cursor = AnnexB.Cursor()
        while let range = cursor.next(in: source) {
            if isParameterSet(range, source) { RelayMessage.write(nalUnit: range, of: source, into: &sets) }
        }
        if !sets.isEmpty { parameterSets = sets.count <= Self.mostParameterSets ? sets : [] }
    }

    private func isParameterSet(_ range: Range<Int>, _ source: RawSpan) -> Bool {
        source.uint8(at: range.lowerBound).map { NALHeader.isParameterSet($0, codec: format.codec) } ?? false
    }

    /// The maximum size of stored parameter sets, in bytes.
    private static let mostParameterSets = 4096

    // MARK: Sound

    private mutating func take(_ sound: RelaySound, _ now: Instant) {
        guard link == .open else { return statistics.drops.count(.soundUnheard) }
        let bytes = RelayMessage.sound(sound).serialised()
        guard sound.isValid, bytes.count - RelayMessage.headerSize <= min(limits.sound, settings.soundBytes) else {
            return statistics.drops.count(.soundMalformed)
        }
        while queue.soundBytes + bytes.count > settings.soundBytes, queue.removeOldestSound() {
            statistics.drops.count(.soundOverflow)
        }
        enqueue(RelayChunk(content: .sound, bytes: bytes, queued: now))
    }
}
