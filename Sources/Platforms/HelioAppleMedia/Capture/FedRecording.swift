internal import Synchronization

/// A recorder that delivers a broadcast's pictures; the user starts and ends the broadcast's extension.
///
/// The recorder forwards pictures while recording is on, and retains none.
package final class FedRecording<Buffer: Sendable>: ScreenRecording {
    private struct State: Sendable {
        var tell: (@Sendable (RecorderEvent<Buffer>) -> Void)?
        var hasEnded = false
    }

    private let state = Mutex(State())

    package init() {}

    package func start(_ tell: @escaping @Sendable (RecorderEvent<Buffer>) -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.tell = tell }
            return state.hasEnded
        }
        tell(.answered(hasEnded ? .byPerson : nil))
    }

    package func stop() { state.withLock { $0.tell = nil } }

    /// Forwards a picture if recording is on. Callable from any thread, but by one thread at a time.
    package func take(_ buffer: Buffer, turn: PictureTurn) { state.withLock { $0.tell }?(.picture(buffer, turn)) }

    /// Handles a step of the broadcast: its end stops the recording.
    package func hear(_ action: BroadcastAction) {
        guard action == .close else { return }
        let tell = state.withLock { state in
            defer { (state.hasEnded, state.tell) = (true, nil) }
            return state.tell
        }
        tell?(.stopped(.byPerson))
    }
}
