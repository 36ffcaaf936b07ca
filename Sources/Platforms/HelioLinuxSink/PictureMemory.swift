internal import CFFmpeg
private import Foundation

/// The memory of a decoded picture, which FFmpeg keeps as the reference of the next picture, and into which
/// `InPlaceDecoder` may decode that one.
///
/// The memory may be changed only when each picture in it was drawn or released. A window may draw a picture once more
/// after that, and learns from `version` that the memory holds a later picture.
///
/// `@unchecked Sendable`: the samples are read and written under the lock once there is more than one picture.
final class PictureMemory: @unchecked Sendable {
    let frame: UnsafeMutablePointer<AVFrame>
    private let condition = NSCondition()
    /// The version of the picture that the memory holds now; see `add`.
    private var held = 0
    /// The number of pictures that are neither drawn nor released.
    private var awaited = 0

    /// Takes over `frame`.
    init(owning frame: UnsafeMutablePointer<AVFrame>) { self.frame = frame }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// Registers a picture to be drawn; returns its version.
    func add() -> Int {
        condition.withLock {
            awaited += 1
            return held
        }
    }

    /// Registers that a picture was drawn, or released.
    func release() {
        condition.withLock {
            awaited -= 1
            if awaited == 0 { condition.signal() }
        }
    }

    var version: Int { condition.withLock { held } }

    /// Calls `body`, which reads samples.
    func read<Result>(_ body: () -> Result) -> Result { condition.withLock { body() } }

    /// Calls `body`, which turns this picture into the next one. False if a picture in the memory still waits to be
    /// drawn after `patience`.
    func change(patience: Duration, _ body: () -> Void) -> Bool {
        condition.withLock {
            if awaited > 0, patience > .zero {
                let end = Date(timeIntervalSinceNow: Double(patience.components.attoseconds) / 1e18)
                while awaited > 0, condition.wait(until: end) {}
            }
            guard awaited == 0 else { return false }
            held += 1
            body()
            return true
        }
    }
}
