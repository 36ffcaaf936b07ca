internal import CFFmpeg
private import Synchronization

/// The memory of a decoded picture, which FFmpeg keeps as the reference of the next, and into which `InPlaceDecoder` may
/// decode that.
///
/// It may only be changed while no picture that nobody has drawn yet lies in it. A window may draw a picture once more
/// after that, and finds out by `version` that the memory has gone ahead.
///
/// `@unchecked Sendable`: the samples are read and written under the lock once there is more than one picture.
final class PictureMemory: @unchecked Sendable {
    private struct State {
        /// The number of the picture that it holds.
        var version = 0
        /// The pictures that are neither drawn nor gone.
        var awaited = 0
    }

    let frame: UnsafeMutablePointer<AVFrame>
    private let state = Mutex(State())

    /// Takes over `frame`.
    init(owning frame: UnsafeMutablePointer<AVFrame>) { self.frame = frame }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// Notes that there is a picture to draw; gives the number by which it is known.
    func add() -> Int {
        state.withLock {
            $0.awaited += 1
            return $0.version
        }
    }

    /// Notes that a picture has been drawn, or is gone.
    func release() { state.withLock { $0.awaited -= 1 } }

    var version: Int { state.withLock { $0.version } }

    /// Calls `body`, which reads samples.
    func read<Result>(_ body: () -> Result) -> Result { state.withLock { _ in body() } }

    /// Calls `body`, which makes the next picture of this one. False where somebody awaits the present one.
    func change(_ body: () -> Void) -> Bool {
        state.withLock {
            guard $0.awaited == 0 else { return false }
            $0.version += 1
            body()
            return true
        }
    }
}
