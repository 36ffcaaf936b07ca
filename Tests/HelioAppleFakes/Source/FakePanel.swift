package import HelioAppleMedia
package import HelioCore
import Synchronization

/// A display that shows known pictures: what the test shows, turns and resizes. Any thread.
package final class FakePanel: Sendable {
    /// What happens to it.
    package enum Change: Sendable, Hashable {
        /// It shows another picture.
        case picture
        /// It has another size, or is held another way.
        case display
        /// The system ends captures of it.
        case stopped(StreamStop)
    }

    private struct State: Sendable {
        var size: PixelSize
        var turn = PictureRotation.none
        var number = 0
        var isBlank = false
        var listeners: [@Sendable (Change) -> Void] = []
    }

    private let state: Mutex<State>
    package let pictures: KnownPictures
    /// What the system gives pictures of, whatever it was asked for; `nil`: as it was asked.
    package let color: ColorDescription?

    package init(_ size: PixelSize, color: ColorDescription? = nil, pictures: KnownPictures = KnownPictures()) {
        state = Mutex(State(size: size))
        self.color = color
        self.pictures = pictures
    }

    /// The size of what it shows, upright.
    package var size: PixelSize {
        state.withLock { $0.turn.turned($0.size) }
    }
    package var turn: PictureRotation { state.withLock { $0.turn } }
    package var number: Int { state.withLock { $0.number } }
    package var picture: KnownPicture { KnownPicture(size, number: number) }

    /// True while it gives no pictures.
    package var isBlank: Bool { state.withLock { $0.isBlank } }

    /// Gives no pictures, as a display that sleeps, or gives them again.
    package func set(isBlank: Bool) { change(.picture) { $0.isBlank = isBlank } }
    package func show(_ number: Int) { change(.picture) { $0.number = number } }
    package func resize(_ size: PixelSize) { change(.display) { $0.size = size } }
    /// Is held so that what it gives has to be turned by this to be upright.
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
