internal import CFFmpeg
internal import HelioCore
private import HelioGround

/// The memory of a decoded picture, which FFmpeg keeps as the reference of the next picture, and into which
/// `InPlaceDecoder` may decode that one.
///
/// The memory may be changed only when each picture in it was drawn or released. A window may draw a picture once more
/// after that, and learns from `version` that the memory holds a later picture.
///
/// `@unchecked Sendable`: the samples are read and written under the lock once there is more than one picture.
final class PictureMemory: @unchecked Sendable {
    let frame: UnsafeMutablePointer<AVFrame>
    private struct State: Sendable {
        /// The version of the picture that the memory holds now; see `add`.
        var held = 0
        /// The number of pictures that are neither drawn nor released.
        var awaited = 0
    }

    private let state = ThreadMailbox(State())

    /// Takes over `frame`.
    init(owning frame: UnsafeMutablePointer<AVFrame>) { self.frame = frame }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// Registers a picture to be drawn; returns its version.
    func add() -> Int {
        state.withLock {
            $0.awaited += 1
            return $0.held
        }
    }

    /// Registers that a picture was drawn, or released.
    func release() { state.put { $0.awaited -= 1 } }

    var version: Int { state.withLock { $0.held } }

    /// Calls `body`, which reads samples.
    func read<Result>(_ body: () -> Result) -> Result { state.withLock { _ in body() } }

    /// Calls `body`, which turns this picture into the next one. False if a picture in the memory still waits to be
    /// drawn after `patience`.
    func change(patience: Duration, _ body: () -> Void) -> Bool {
        let isChanged = state.take(until: MonotonicClock.now + patience) { state -> Bool? in
            guard state.awaited == 0 else { return nil }
            state.held += 1
            body()
            return true
        }
        return isChanged ?? false
    }
}
