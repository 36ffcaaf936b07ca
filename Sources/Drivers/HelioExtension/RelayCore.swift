private import HelioGround
private import HelioLocalSocket
internal import HelioRelay
internal import HelioRelayWire
private import Synchronization

/// The engine of the extension's end of a relay, guarded by a lock, and the thread that sends and receives for it.
final class RelayCore: Sendable {
    private struct State: ~Copyable {
        var engine: ExtensionRelay
        var format: RelayFormat
        var frameIndex: UInt64 = 0
    }

    /// A message that is being sent; the bytes from `offset` on are not sent yet.
    private struct Sending {
        let bytes: [UInt8]
        var offset = 0
    }

    private let path: String
    private let events: @Sendable (ExtensionRelayEvent) -> Void
    private let state: Mutex<State>
    private let wake: Wakeup
    private let done: Wakeup

    init(
        path: String, format: RelayFormat, settings: ExtensionRelaySettings,
        events: @escaping @Sendable (ExtensionRelayEvent) -> Void
    ) throws(HelioError) {
        self.path = path
        self.events = events
        wake = try Wakeup()
        done = try Wakeup()
        let now = MonotonicClock.now
        // The seed only spreads the reconnection attempts; no secret depends on it.
        let seed = SeededGenerator(seed: UInt64(bitPattern: now.nanoseconds))
        state = Mutex(
            State(
                engine: ExtensionRelay(format: format, settings: settings, random: seed, now: now), format: format))
    }

    func start() throws(HelioError) {
        try WorkerThread.start(name: "helio-relay", stack: WorkerThread.smallStack) { self.run() }
    }

    func handle(_ input: ExtensionRelay.Input) {
        let now = MonotonicClock.now
        state.withLock { $0.engine.handle(input, now: now) }
        wake.signal()
    }

    func write(_ annexB: [UInt8], captured: Instant, isKeyframe: Bool) {
        let now = MonotonicClock.now
        state.withLock { state in
            let slice = EncodedSlice(
                frameIndex: state.frameIndex, annexB: annexB, isFirst: true, isLast: true, isKeyframe: isKeyframe,
                timing: FrameTiming(damaged: captured, captured: captured))
            state.frameIndex += 1
            state.engine.handle(.slice(slice), now: now)
        }
        wake.signal()
    }

    func change(size: PixelSize, quarterTurns: Int) throws(HelioError) {
        let now = MonotonicClock.now
        let isValid = state.withLock { state in
            var format = state.format
            format.size = size
            format.quarterTurns = UInt8(truncatingIfNeeded: quarterTurns & 3)
            guard format.isValid else { return false }
            state.format = format
            state.engine.handle(.format(format), now: now)
            return true
        }
        guard isValid else { throw HelioError(.invalidArgument, "No encoder codes pictures of \(size).") }
        wake.signal()
    }

    func end() { handle(.end) }

    func waitForEnd(within limit: Duration) {
        // The signal is not cleared, so that later callers see it, too.
        _ = done.wait(until: MonotonicClock.now + limit)
    }

    var statistics: BroadcastRelay.Statistics {
        state.withLock { .init(counted: $0.engine.statistics, waitingBytes: $0.engine.waitingBytes) }
    }

    // MARK: The thread

    private func run() {
        var socket: LocalSocket?
        var sending: Sending?
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            wake.take()
            var isStopped = false
            while let output = nextOutput(&isStopped) { perform(output, &socket, &sending) }
            if isStopped { break }
            if let open = socket, move(open, &sending, buffer) { continue }
            // The engine has no more outputs at this point, as `move` returns true after each input for the engine.
            let until = state.withLock { $0.engine.deadline?.at }
            var polls = [DescriptorPoll(wake.descriptor)]
            if let socket {
                polls.append(DescriptorPoll(socket.descriptor, wantsToSend: sending != nil))
            }
            DescriptorPoll.wait(&polls, until: until)
        }
        done.signal()
    }

    private func nextOutput(_ isStopped: inout Bool) -> ExtensionRelay.Output? {
        let now = MonotonicClock.now
        let (output, stopped) = state.withLock { state -> (ExtensionRelay.Output?, Bool) in
            state.engine.tick(now: now)
            return (state.engine.poll(), state.engine.isStopped)
        }
        isStopped = stopped && output == nil
        return output
    }

    private func perform(_ output: ExtensionRelay.Output, _ socket: inout LocalSocket?, _ sending: inout Sending?) {
        switch output {
        case .connect:
            socket = try? LocalSocket.connect(to: path)
            tell(socket == nil ? .closed : .connected)
        case .send(let bytes): sending = Sending(bytes: bytes)
        case .close:
            socket = nil
            sending = nil
        case .event(let event): events(event)
        }
    }

    /// Receives and sends without waiting. Returns true if the engine got an input and has to be polled again.
    private func move(
        _ socket: LocalSocket, _ sending: inout Sending?, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Bool {
        // Receive first: the app's end message may be the last bytes before it closes the connection.
        switch socket.receive(into: buffer) {
        case .done(let count):
            tell(.received([UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<count]))))
            return true
        case .closed:
            tell(.closed)
            return true
        case .wouldBlock: break
        }
        // Sends until no bytes are left (requirement row 137), or the socket is full.
        while let part = sending {
            switch socket.send(part.bytes, from: part.offset) {
            case .done(let count):
                sending?.offset += count
                guard part.offset + count == part.bytes.count else { continue }
                sending = nil
                tell(.sent)
                return true
            case .wouldBlock: return false
            case .closed:
                // Bytes may have arrived since the last receive; they are read before the close is reported.
                guard case .done(let count) = socket.receive(into: buffer) else {
                    tell(.closed)
                    return true
                }
                tell(.received([UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<count]))))
                return true
            }
        }
        return false
    }

    private func tell(_ input: ExtensionRelay.Input) {
        let now = MonotonicClock.now
        state.withLock { $0.engine.handle(input, now: now) }
    }
}
