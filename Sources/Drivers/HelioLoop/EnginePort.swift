package import HelioCore
internal import HelioGround
private import Synchronization

/// An engine with a UDP socket that any thread may call; for input events, which can't wait for an event loop. Without
/// a socket, the caller sends the engine's datagrams by another way, and hands in those that arrive by it.
///
/// A caller's input is encrypted and sent before `handle` returns, on the caller's own thread. The port's own thread
/// reads the socket and ticks the engine at its deadline. A lock guards the engine and is held for one input at a time,
/// until its outputs are executed. Callers that must not block on the lock queue their inputs instead, and call `wake`.
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
    }

    /// The longest datagram in bytes: longer ones are truncated, and then fail to authenticate.
    private static var largestDatagram: Int { 2048 }
    private static var mostAtOnce: Int { 64 }

    private let socket: DatagramSocket?
    private let alarm: Alarm
    private let waker: Wakeup
    private let state: Mutex<State>
    private let refused = Atomic(0)
    /// The closure that the port's thread calls as it ends; `nil` before `finish`.
    private let ending = Mutex<(@Sendable () -> Void)?>(nil)
    private let perform: @Sendable (E.Output) -> Action

    /// The socket's port; 0 without a socket.
    package var localPort: UInt16 { socket?.localPort ?? 0 }

    /// - Parameters:
    ///   - socket: `nil` if the engine's datagrams go by another way; `perform` must then return `done` for each.
    ///   - received: makes the engine's input from a datagram and its sender; `nil` drops the datagram, which the
    ///     caller counts.
    ///   - waiting: removes and returns the inputs that are queued for the port's thread, oldest first; called by that
    ///     thread after each `wake`, and before each datagram.
    ///   - perform: executes one output, on the thread that handed in its input. Must not call the port.
    package init(
        _ engine: sending E, on socket: DatagramSocket?, name: String,
        received: @escaping @Sendable ([UInt8], PathID) -> E.Input?, waiting: @escaping @Sendable () -> [E.Input],
        perform: @escaping @Sendable (E.Output) -> Action
    ) throws(HelioError) {
        alarm = try Alarm()
        waker = try Wakeup()
        self.socket = socket
        self.perform = perform
        state = Mutex(State(engine: engine))
        // The alarm fires at once, so that the thread reads the engine's first deadline.
        alarm.set(.zero)
        WorkerThread(name: name) { [self] in run(received, waiting) }
    }

    /// Hands one input to the engine and executes its outputs. Callable from any thread.
    package func handle(_ input: E.Input) {
        state.withLock { state in
            if state.isClosed { return }
            state.engine.handle(input, now: MonotonicClock.now)
            settle(&state)
        }
    }

    /// Makes the port's thread handle the inputs that were queued before this call. Never blocks; callable from any
    /// thread.
    package func wake() { waker.signal() }

    /// Reads the engine's state, for statistics.
    package func read<Value: Sendable>(_ body: (borrowing E) -> Value) -> Value {
        state.withLock { body($0.engine) }
    }

    /// Reads the engine's state, for statistics; `nil` while an input or its outputs are being executed. Never blocks.
    package func readIfFree<Value: Sendable>(_ body: (borrowing E) -> Value) -> Value? {
        state.withLockIfAvailable { body($0.engine) }
    }

    /// Sets a kernel filter, on Linux only, that drops datagrams that don't begin with one of these SSRCs. Callable
    /// from any thread.
    package func listen(to sources: [SSRC]) { socket?.listen(to: sources, at: [0]) }

    /// The number of incoming datagrams that the system dropped.
    package var thrownAway: Int { socket?.thrownAway ?? 0 }

    /// The number of outgoing datagrams that the system refused.
    package var refusedDatagrams: Int { refused.load(ordering: .relaxed) }

    /// Closes the port: no more outputs are executed, and the thread ends.
    package func close() {
        state.withLock { $0.isClosed = true }
        alarm.set(.zero)
    }

    /// Closes the port once the inputs that were queued before this call are handled; used instead of `close`. Never
    /// blocks.
    ///
    /// - Parameter ended: called by the port's thread as it ends.
    package func finish(ended: @escaping @Sendable () -> Void) {
        ending.withLock { $0 = ended }
        wake()
    }

    private func run(_ received: ([UInt8], PathID) -> E.Input?, _ waiting: () -> [E.Input]) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.largestDatagram, alignment: 16)
        defer { buffer.deallocate() }
        var watched = [
            DescriptorPoll(socket?.descriptor ?? -1), DescriptorPoll(alarm.descriptor),
            DescriptorPoll(waker.descriptor),
        ]
        while true {
            DescriptorPoll.wait(&watched, until: nil)
            if watched[2].isReadable {
                waker.take()
                // `ending` is read before the queue, so that all inputs queued before `finish` are handled.
                let ended = ending.withLock { $0 }
                for input in waiting() { handle(input) }
                if let ended {
                    state.withLock { $0.isClosed = true }
                    return ended()
                }
            }
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
            // The batch is bounded, so that a flood does not keep the engine from its deadline.
            for _ in 0..<Self.mostAtOnce {
                guard let (count, sender) = socket?.receive(into: buffer) else { break }
                let bytes = Array(buffer[..<count])
                // Inputs that were queued before the datagram was read are handled first: they may open or close the
                // channel of the datagram's sender.
                for input in waiting() { handle(input) }
                if let input = received(bytes, sender) { handle(input) }
            }
        }
    }

    private func settle(_ state: inout State) {
        while let output = state.engine.poll() {
            guard case .send(let bytes, let path) = perform(output) else { continue }
            if socket?.send(bytes, to: path) != true { refused.add(1, ordering: .relaxed) }
        }
        // A tick before the deadline is harmless, so an earlier alarm is kept.
        guard let deadline = state.engine.deadline, state.alarm.map({ deadline.at < $0 }) ?? true else { return }
        state.alarm = deadline.at
        alarm.set(deadline.at)
    }
}
