package import HelioAppleMedia
package import HelioCore
import Synchronization

/// A display that shows known pictures; the test sets the picture, rotation and size. Callable from any thread.
package final class FakePanel: Sendable {
    /// A change of the display.
    package enum Change: Sendable, Hashable {
        /// The display shows another picture.
        case picture
        /// The display's size or rotation has changed.
        case display
        /// The system has stopped all captures of the display.
        case stopped(StreamStop)
    }

    private struct State: Sendable {
        var size: PixelSize
        var turn = PictureRotation.none
        var number = 0
        var isBlank = false
        var isAsleep = false
        var refusedStarts = 0
        var listeners: [@Sendable (Change) -> Void] = []
    }

    private let state: Mutex<State>
    package let pictures: KnownPictures
    /// The colour description of the captured pictures, whatever was requested; `nil` uses the requested one.
    package let color: ColorDescription?

    package init(_ size: PixelSize, color: ColorDescription? = nil, pictures: KnownPictures = KnownPictures()) {
        state = Mutex(State(size: size))
        self.color = color
        self.pictures = pictures
    }

    /// The size of the displayed picture, upright.
    package var size: PixelSize {
        state.withLock { $0.turn.turned($0.size) }
    }
    package var turn: PictureRotation { state.withLock { $0.turn } }
    package var number: Int { state.withLock { $0.number } }
    package var picture: KnownPicture { KnownPicture(size, number: number) }

    /// True if the display delivers no pictures.
    package var isBlank: Bool { state.withLock { $0.isBlank } }

    /// The number of captures that could not be started because the machine was asleep.
    package var refusedStarts: Int { state.withLock { $0.refusedStarts } }

    /// Returns false, and counts it, if a capture can't be started because the machine is asleep.
    func mayStart() -> Bool {
        state.withLock { state in
            if state.isAsleep { state.refusedStarts += 1 }
            return !state.isAsleep
        }
    }

    /// Puts the machine to sleep, which stops all captures and every new one.
    package func sleep() { change(.stopped(.bySystem)) { $0.isAsleep = true } }
    /// Wakes the machine: captures can be started again, and nothing tells them so.
    package func wake() { state.withLock { $0.isAsleep = false } }
    /// Stops or resumes pictures, as a display does that goes blank.
    package func set(isBlank: Bool) { change(.picture) { $0.isBlank = isBlank } }
    package func show(_ number: Int) { change(.picture) { $0.number = number } }
    package func resize(_ size: PixelSize) { change(.display) { $0.size = size } }
    /// Rotates the display: captured pictures then need `turn` to be upright.
    package func turn(_ turn: PictureRotation) { change(.display) { $0.turn = turn } }
    package func stopCaptures(_ stop: StreamStop) { change(.stopped(stop)) { _ in } }

    package func listen(_ listener: @escaping @Sendable (Change) -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    private func change(_ change: Change, _ body: (inout State) -> Void) {
        let listeners = state.withLock { state in
            body(&state)
            return state.listeners
        }
        for listener in listeners { listener(change) }
    }
}
