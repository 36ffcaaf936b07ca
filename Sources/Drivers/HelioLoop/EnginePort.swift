package import HelioCore
internal import HelioGround
private import Synchronization

/// An engine with a UDP socket that any thread may call; for input events, which can't wait for an event loop.
///
/// A caller's input is sealed and sent before `handle` returns, on the caller's own thread. The port's own thread reads
/// the socket and ticks the engine at its deadline. A lock guards the engine and is held for one input at a time.
package final class EnginePort<E: Engine & SendableMetatype>: Sendable where E.Input: Sendable {
    /// The action for an output: a datagram to send, or nothing more to do.
    package enum Action {
        case send([UInt8], to: PathID?)
        case done
    }

    private struct State: ~Copyable {
        var engine: E
        var alarm: Instant?
        var isClosed = false
        var refused = 0
    }

    /// The longest datagram in bytes: longer ones are truncated, and then fail to authenticate.
    private static var largestDatagram: Int { 2048 }
    private static var mostAtOnce: Int { 64 }

    private let socket: DatagramSocket
    private let alarm: Alarm
    private let state: Mutex<State>
    private let perform: @Sendable (E.Output) -> Action

    package var localPort: UInt16 { socket.localPort }

    /// - Parameters:
    ///   - received: makes the engine's input from a datagram and its sender.
    ///   - perform: executes one output, on the thread that handed in its input. Must not call the port.
    package init(
        _ engine: sending E, on socket: DatagramSocket, name: String,
        received: @escaping @Sendable ([UInt8], PathID) -> E.Input, perform: @escaping @Sendable (E.Output) -> Action
    ) throws(HelioError) {
        alarm = try Alarm()
        self.socket = socket
        self.perform = perform
        state = Mutex(State(engine: engine))
        // Fires at once, so that the thread reads the engine's first deadline.
        alarm.set(.zero)
        WorkerThread(name: name) { [self] in run(received) }
    }

    /// Hands one input to the engine and executes its outputs. Callable from any thread.
    package func handle(_ input: E.Input) {
        state.withLock { state in
            if state.isClosed { return }
            state.engine.handle(input, now: MonotonicClock.now)
            settle(&state)
        }
    }

    /// Reads the engine's state, for statistics.
    package func read<Value: Sendable>(_ body: (borrowing E) -> Value) -> Value {
        state.withLock { body($0.engine) }
    }

    /// Installs a filter in the system, where it has one, that drops datagrams that don't begin with one of these
    /// sources. Callable from any thread.
    package func listen(to sources: [SSRC]) { socket.listen(to: sources, at: [0]) }

    /// The number of incoming datagrams that the system dropped.
    package var thrownAway: Int { socket.thrownAway }

    /// The number of outgoing datagrams that the system refused.
    package var refusedDatagrams: Int { state.withLock { $0.refused } }

    /// Closes the port: no more outputs are executed, and the thread ends.
    package func close() {
        state.withLock { $0.isClosed = true }
        alarm.set(.zero)
    }

    private func run(_ received: (([UInt8], PathID) -> E.Input)) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.largestDatagram, alignment: 16)
        defer { buffer.deallocate() }
        var watched = [DescriptorPoll(socket.descriptor), DescriptorPoll(alarm.descriptor)]
        while true {
            DescriptorPoll.wait(&watched, until: nil)
            if watched[1].isReadable {
                alarm.take()
                let isClosed = state.withLock { state in
                    if state.isClosed { return true }
                    state.alarm = nil
                    state.engine.tick(now: MonotonicClock.now)
                    settle(&state)
                    return false
                }
                if isClosed { return }
            }
            // Bounded, so that a flood does not keep the engine from its deadline.
            for _ in 0..<Self.mostAtOnce {
                guard let (count, sender) = socket.receive(into: buffer) else { break }
                let bytes = Array(buffer[..<count])
                state.withLock { state in
                    if state.isClosed { return }
                    state.engine.handle(received(bytes, sender), now: MonotonicClock.now)
                    settle(&state)
                }
            }
        }
    }

    private func settle(_ state: inout State) {
        while let output = state.engine.poll() {
            guard case .send(let bytes, let path) = perform(output) else { continue }
            if !socket.send(bytes, to: path) { state.refused += 1 }
        }
        // An alarm that goes off too early is harmless, so an earlier one is left alone.
        guard let deadline = state.engine.deadline, state.alarm.map({ deadline.at < $0 }) ?? true else { return }
        state.alarm = deadline.at
        alarm.set(deadline.at)
    }
}
