internal import CFFmpeg
internal import HelioCore
private import HelioGround

/// The memory of a decoded picture. FFmpeg keeps it as the reference of the next picture, and `InPlaceDecoder` may
/// decode the next picture into it.
///
/// The memory may be changed only after each picture in it was drawn or released. If a window later draws a picture
/// again, `version` shows that the memory now holds a later picture.
///
/// `@unchecked Sendable`: the samples are read by `read` and written by `change`, both under the lock.
final class PictureMemory: @unchecked Sendable {
    let frame: UnsafeMutablePointer<AVFrame>
    private struct State: Sendable {
        /// The version of the picture that the memory holds now; `change` increments it.
        var held = 0
        /// The number of pictures that are neither drawn nor released.
        var awaited = 0
    }

    private let state = ThreadMailbox(State())

    /// Takes ownership of `frame`, and frees it at the end.
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

    /// Registers that a picture was drawn or released; called once per `add`.
    func release() { state.put { $0.awaited -= 1 } }

    var version: Int { state.withLock { $0.held } }

    /// Calls `body` under the lock, so that the samples don't change while `body` reads them.
    func read<Result>(_ body: () -> Result) -> Result { state.withLock { _ in body() } }

    /// Waits until all pictures in the memory are drawn, then calls `body` under the lock to decode the next picture
    /// into it. Returns false, without calling `body`, if a picture is still not drawn after `patience`.
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
