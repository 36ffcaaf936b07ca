internal import HelioCore
internal import HelioMedia
internal import HelioPeer
internal import HelioPeerPort
private import HelioRTP
private import HelioSCTP
private import HelioTURN
private import Synchronization

/// The link between an app's ``PeerConnection`` and its engine on the port's event loop.
final class PeerLink: Sendable {
    typealias Engine = PeerEngine

    /// The key of an app's clock: the stream's name, or the number of a track without a stream.
    private enum ClockKey: Hashable {
        case stream(String)
        case track(Int)
    }

    private struct State {
        var handle: PeerHandle?
        var channels: [PeerChannelID: DataChannel] = [:]
        var quarterTurns: [Int: Int] = [:]
        /// The unwrapped time of each track's last packet of sound, in steps of 1/48 000 s.
        var soundTimes: [Int: Int64] = [:]
        var clocks: [ClockKey: AppClock] = [:]
        var hasAllCandidates = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextWaiting: UInt64 = 0
        var frames: UInt64 = 0
        var isEnded = false
        var onEnd: (@Sendable () -> Void)?
    }

    /// The engine's low-water mark in bytes: when fewer bytes of a channel are queued in the engine, the engine reports
    /// that the channel accepts more messages.
    private static let lowThreshold = 256 * 1024

    private let events: PeerEvents
    private let state = Mutex(State())

    init(_ events: PeerEvents) {
        self.events = events
        events.whenMessage { [weak self] in self?.wakeAfterTurn() }
        events.whenRoom { [weak self] in self?.holdOrRelease() }
    }

    /// Wakes the reader at the end of the current event-loop tick. Called on the loop.
    private func wakeAfterTurn() {
        guard let handle = state.withLock({ $0.handle }) else { return events.wake() }
        handle.afterTurn { [events] in events.wake() }
    }

    /// Holds or releases the peer's messages. The flag is read on the loop, because reader and loop may change the flag
    /// in quick succession.
    private func holdOrRelease() {
        post { [events] engine, now in engine.holdMessages(events.holdsPeer, now: now) }
    }

    func begin(_ handle: PeerHandle) { state.withLock { $0.handle = handle } }

    func nextFrame() -> UInt64 {
        state.withLock { state in
            defer { state.frames += 1 }
            return state.frames
        }
    }

    /// Maps the app's capture time to the loop's clock; tracks of one stream share one clock.
    func captured(_ time: Duration, on id: Transceiver.ID, of engine: Engine, now: Instant) -> Instant {
        let name = engine.transceivers.first { $0.id == id }?.sender?.stream
        let key = name.map { ClockKey.stream($0) } ?? .track(id.rawValue)
        return state.withLock { state in
            state.clocks[key, default: AppClock()].instant(time, now: now)
        }
    }

    // MARK: To the engine

    struct Gone: Error {}

    func run<Value: Sendable>(_ body: @escaping @Sendable (Engine, Instant) throws -> Value) async throws -> Value {
        guard let handle = state.withLock({ $0.handle }) else { throw Gone() }
        return try await handle.run(body)
    }

    func update(_ body: @escaping @Sendable (Engine, Instant) -> Void) async {
        try? await run { body($0, $1) }
    }

    /// Runs a body on the loop, without waiting for its result. Does nothing after the connection has ended, as the
    /// loop may no longer exist.
    func post(_ body: @escaping @Sendable (Engine, Instant) -> Void) {
        state.withLock { $0.isEnded ? nil : $0.handle }?.post(body)
    }

    /// Runs a body at once; the caller has to be on the loop.
    func onLoop(_ body: (Engine, Instant) -> Void) {
        state.withLock { $0.handle }?.runOnLoop(body)
    }

    func read<Value: Sendable>(orElse other: Value, _ body: @escaping @Sendable (Engine) -> Value) async -> Value {
        (try? await run { engine, _ in body(engine) }) ?? other
    }

    func negotiate<Value: Sendable>(
        _ body: @escaping @Sendable (Engine, Instant) throws -> Value
    ) async throws(HelioError) -> Value {
        do {
            return try await run(body)
        } catch PeerConnectionError.closed {
            throw HelioError(.ended, "The connection is closed")
        } catch let error as HelioError {
            throw error
        } catch let error as PeerConnectionError {
            throw HelioError(.protocolViolation, "The descriptions don't fit: \(error)", cause: error)
        } catch {
            throw HelioError(.ended, "The connection is closed", cause: error)
        }
    }

    func openChannel(_ label: String, _ options: DataChannel.Options) async throws(HelioError) -> DataChannel {
        var description = DataChannelDescription(label: label)
        description.subprotocol = options.subprotocol
        description.isOrdered = options.isOrdered
        switch options.reliability {
        case .reliable: description.reliability = .reliable
        case .retransmissions(let count): description.reliability = .retransmissions(UInt32(clamping: count))
        case .lifetime(let time): description.reliability = .lifetime(time)
        }
        var number: UInt16?
        if let wanted = options.number {
            guard let fitting = UInt16(exactly: wanted), fitting < .max else {
                throw HelioError(.invalidArgument, "A channel's number is 0 to 65534, not \(wanted)")
            }
            number = fitting
        }
        do {
            return try await run { [self, description, number] engine, now in
                let id = try engine.openChannel(description, number: number, now: now)
                // The engine's event `channelOpened` may have registered the channel already.
                return channel(id, description, isByPeer: false)
            }
        } catch DataChannelError.badNumber {
            throw HelioError(.invalidArgument, "The number \(options.number ?? 0) is another channel's")
        } catch DataChannelError.textTooLong {
            throw HelioError(.invalidArgument, "A channel's label has at most 65535 bytes")
        } catch DataChannelError.tooManyChannels {
            throw HelioError(.unsupported, "As many channels as there may be are open: close some first")
        } catch {
            throw HelioError(.ended, "The connection is over, or has no data channels", cause: error)
        }
    }

    /// Sets the closure that is called once when the connection ends; calls it at once if the connection has ended
    /// already.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let isEnded = state.withLock { state in
            if !state.isEnded { state.onEnd = body }
            return state.isEnded
        }
        if isEnded { body() }
    }

    func close() async {
        guard let handle = state.withLock({ $0.handle }) else { return }
        await handle.close { engine, now in engine.close(now: now) }
        end()
    }

    // MARK: From the engine

    /// Translates the engine's event to the app's. Called on the loop.
    func take(_ event: PeerConnectionEvent) {
        switch event {
        case .negotiationNeeded: put(.negotiationNeeded)
        case .candidate(let text):
            // A candidate after the end of gathering belongs to an ICE restart, which gathers candidates anew.
            if text == nil { candidatesEnded() } else { state.withLock { $0.hasAllCandidates = false } }
            put(.candidate(text))
        case .state(let next):
            put(.state(PeerState(next)))
            if next == .closed { end() }
        case .failed(let failure): put(.failure(failure.description))
        case .negotiated, .path, .plain: break
        case .channelOpened(let id, let description, let isByPeer):
            let channel = channel(id, description, isByPeer: isByPeer)
            onLoop { engine, _ in
                engine.setBufferedAmountLowThreshold(Self.lowThreshold, of: id)
                channel.open(longest: engine.longestMessage)
            }
            put(.channelOpened(channel))
        case .message(let id, let message):
            guard let channel = state.withLock({ $0.channels[id] }) else { return }
            switch message {
            case .text(let bytes): put(.message(channel, .text(String(decoding: bytes, as: UTF8.self))))
            case .binary(let bytes): put(.message(channel, .binary(bytes)))
            }
        case .bufferedAmountLow(let id):
            guard let channel = state.withLock({ $0.channels[id] }) else { return }
            onLoop { channel.flush($0, $1) }
        case .channelClosed(let id):
            guard let channel = state.withLock({ $0.channels.removeValue(forKey: id) }) else { return }
            channel.end()
            put(.channelClosed(channel))
        case .media(let event): take(event)
        case .relayFailed(_, let failure): put(.relayFailed(failure.description))
        }
    }

    private func take(_ event: MediaTransport.Event) {
        switch event {
        case .frame(let frame, let id):
            let turns = state.withLock { $0.quarterTurns[id.rawValue] ?? 0 }
            put(
                .video(
                    ReceivedPicture(
                        annexB: frame.annexB, time: MediaClock.duration(frame.mediaTime),
                        isKeyframe: frame.isKeyframe, quarterTurns: turns, track: ReceivedTrack(number: id.rawValue))))
        case .orientation(let orientation, let id):
            state.withLock { $0.quarterTurns[id.rawValue] = Int(orientation.quarterTurns) }
        case .keyframeNeeded(let id): put(.keyframeNeeded(VideoTrack(number: id.rawValue, link: self)))
        case .estimatedBitrate(let bitrate): put(.estimatedBitrate(bitrate.bitsPerSecond))
        case .packet(let packet, let id): put(.sound(sound(packet, id.rawValue)))
        case .goodbye, .repairNeeded: break
        }
    }

    private func sound(_ packet: ReceivedPacket, _ number: Int) -> ReceivedSound {
        let time = state.withLock { state in
            let last = state.soundTimes[number] ?? 0
            let time = MediaClock.widened(packet.timestamp, near: last)
            state.soundTimes[number] = time
            return time
        }
        return ReceivedSound(
            packet: Array(packet.bytes[packet.payload]), number: Int(packet.sequence.rawValue),
            time: MediaClock.duration(time, rate: 48_000), track: ReceivedTrack(number: number))
    }

    private func channel(_ id: PeerChannelID, _ description: DataChannelDescription, isByPeer: Bool) -> DataChannel {
        state.withLock { state in
            if let known = state.channels[id] { return known }
            let channel = DataChannel(id, description, isByPeer: isByPeer, link: self)
            state.channels[id] = channel
            return channel
        }
    }

    private func put(_ event: PeerEvent) {
        switch events.put(event) {
        case .taken: break
        case .enough: onLoop { $0.holdMessages(events.holdsPeer, now: $1) }
        case .picturesDropped:
            guard case .video(let picture) = event else { return }
            onLoop { engine, now in
                if let id = engine.transceiver(numbered: picture.track.number) {
                    engine.decoderFailed(on: id, now: now)
                }
            }
        case .full:
            // No event is lost silently: the connection is closed instead.
            guard let handle = state.withLock({ $0.handle }) else { return }
            end()
            handle.closeOnLoop { engine, now in engine.close(now: now) }
        }
    }

    private func end() {
        let (channels, waiting, onEnd) = state.withLock { state in
            defer {
                state.isEnded = true
                state.onEnd = nil
                state.channels = [:]
                state.waiting = [:]
                state.hasAllCandidates = true
            }
            return (Array(state.channels.values), Array(state.waiting.values), state.onEnd)
        }
        for channel in channels { channel.end() }
        for continuation in waiting { continuation.resume() }
        events.finish()
        onEnd?()
    }

    // MARK: Candidates

    private func candidatesEnded() {
        let waiting = state.withLock { state in
            state.hasAllCandidates = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    func waitForCandidates(_ patience: Duration) async {
        if await read(orElse: true, { $0.isGatheringComplete }) { return }
        let ticket = state.withLock { state in
            defer { state.nextWaiting += 1 }
            return state.nextWaiting
        }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.hasAllCandidates { return true }
                state.waiting[ticket] = continuation
                return false
            }
            guard !isOver else { return continuation.resume() }
            Task { [weak self] in
                try? await Task.sleep(for: patience)
                self?.stopWaiting(ticket)
            }
        }
    }

    private func stopWaiting(_ ticket: UInt64) {
        state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
    }
}

extension PeerLink: Hashable {
    static func == (a: PeerLink, b: PeerLink) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
