internal import HelioCore
private import HelioGround
private import HelioLocalSocket
internal import HelioRelay
internal import HelioRelayWire
private import Synchronization

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The engine of the app's end of a relay, guarded by a lock, and the thread that owns its sockets.
final class RelayServerCore: Sendable {
    private struct State: ~Copyable {
        var engine: AppRelay
        var strangers = 0
        var isEnding = false
    }

    private let path: String
    private let listener: LocalSocket
    private let wake: Wakeup
    private let done: Wakeup
    private let state: Mutex<State>
    private let events: @Sendable (AppRelayEvent) -> Void

    /// The maximum number of bytes read from a connection in one call.
    private static let readSize = 64 << 10
    /// The pause in accepting connections after `accept` has failed.
    private static let acceptPause = Duration.milliseconds(100)

    init(
        path: String, settings: AppRelaySettings, events: @escaping @Sendable (AppRelayEvent) -> Void
    ) throws(HelioError) {
        self.path = path
        self.events = events
        listener = try LocalSocket.listen(at: path)
        wake = try Wakeup()
        done = try Wakeup()
        state = Mutex(State(engine: AppRelay(settings: settings, now: MonotonicClock.now)))
    }

    func start() throws(HelioError) {
        try WorkerThread.start(name: "helio-relay", stack: WorkerThread.smallStack) { self.run() }
    }

    func requestKeyframe() { order(.requestKeyframe) }

    func wish(_ wish: RelayWish) { order(.wish(wish)) }

    private func order(_ input: AppRelay.Input) {
        tell(input)
        wake.signal()
    }

    func end() {
        let now = MonotonicClock.now
        state.withLock { state in
            guard !state.isEnding else { return }
            state.isEnding = true
            state.engine.handle(.end, now: now)
        }
        wake.signal()
    }

    func waitForEnd(within limit: Duration) { _ = done.wait(until: MonotonicClock.now + limit) }

    var statistics: AppRelayStatistics {
        state.withLock { state in
            var statistics = state.engine.statistics
            statistics.drops.count(.stranger, state.strangers)
            return statistics
        }
    }

    // MARK: The thread

    private struct Connection {
        let id: ConnectionID
        let socket: LocalSocket
    }

    private func run() {
        var connections: [Connection] = []
        var lastID: UInt64 = 0
        var acceptsFrom = Instant.zero
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readSize, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            wake.take()
            // `isEnding` is read before draining, as the engine's last outputs must still be sent.
            let isEnding = state.withLock { $0.isEnding }
            drain(&connections)
            if isEnding { break }
            var until = state.withLock { $0.engine.deadline?.at }
            var polls = [DescriptorPoll(wake.descriptor)]
            for connection in connections { polls.append(DescriptorPoll(connection.socket.descriptor)) }
            let accepts = MonotonicClock.now >= acceptsFrom
            if accepts {
                polls.append(DescriptorPoll(listener.descriptor))
            } else {
                until = min(until ?? acceptsFrom, acceptsFrom)
            }
            DescriptorPoll.wait(&polls, until: until)
            for (connection, poll) in zip(connections, polls.dropFirst()) where poll.isReadable {
                // A message on another connection may have closed this connection in the meantime.
                guard connections.contains(where: { $0.id == connection.id }) else { continue }
                read(connection, buffer, &connections)
            }
            if accepts, polls[polls.count - 1].isReadable {
                if let socket = listener.accept() {
                    lastID += 1
                    admit(Connection(id: ConnectionID(lastID), socket: socket), &connections)
                } else {
                    acceptsFrom = MonotonicClock.now + Self.acceptPause
                }
            }
        }
        unlink(path)
        done.signal()
    }

    private func admit(_ connection: Connection, _ connections: inout [Connection]) {
        guard connection.socket.peerUser == geteuid() else {
            state.withLock { $0.strangers += 1 }
            return
        }
        connections.append(connection)
        tell(.connected(connection.id))
        drain(&connections)
    }

    private func read(
        _ connection: Connection, _ buffer: UnsafeMutableRawBufferPointer, _ connections: inout [Connection]
    ) {
        switch connection.socket.receive(into: buffer) {
        case .done(let count):
            tell(.received(connection.id, [UInt8](UnsafeRawBufferPointer(rebasing: buffer[..<count]))))
        case .closed:
            connections.removeAll { $0.id == connection.id }
            tell(.closed(connection.id))
        case .wouldBlock: return
        }
        drain(&connections)
    }

    /// Executes the engine's outputs. The engine is ticked before each output, so that keep-alives are sent between
    /// events that take long.
    private func drain(_ connections: inout [Connection]) {
        while let output = nextOutput() {
            switch output {
            case .send(let id, let bytes):
                guard let socket = connections.first(where: { $0.id == id })?.socket else { continue }
                switch socket.send(bytes, from: 0) {
                // A peer that has closed may have left bytes to read; its end is detected after these are read.
                case .done(bytes.count), .closed: continue
                // The relay sends only a few bytes, so a peer whose socket buffer is full no longer reads.
                case .done, .wouldBlock:
                    connections.removeAll { $0.id == id }
                    tell(.closed(id))
                }
            case .close(let id): connections.removeAll { $0.id == id }
            case .event(let event): events(event)
            }
        }
    }

    private func nextOutput() -> AppRelay.Output? {
        let now = MonotonicClock.now
        return state.withLock { state in
            state.engine.tick(now: now)
            return state.engine.poll()
        }
    }

    private func tell(_ input: AppRelay.Input) {
        let now = MonotonicClock.now
        state.withLock { $0.engine.handle(input, now: now) }
    }
}
