internal import CFFmpeg
private import Foundation

/// The memory of a decoded picture, which FFmpeg keeps as the reference of the next, and into which `InPlaceDecoder` may
/// decode that.
///
/// It may only be changed while no picture that nobody has drawn yet lies in it. A window may draw a picture once more
/// after that, and finds out by `version` that the memory has gone ahead.
///
/// `@unchecked Sendable`: the samples are read and written under the lock once there is more than one picture.
final class PictureMemory: @unchecked Sendable {
    let frame: UnsafeMutablePointer<AVFrame>
    private let condition = NSCondition()
    /// The number of the picture that it holds.
    private var held = 0
    /// The pictures that are neither drawn nor gone.
    private var awaited = 0

    /// Takes over `frame`.
    init(owning frame: UnsafeMutablePointer<AVFrame>) { self.frame = frame }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// Notes that there is a picture to draw; gives the number by which it is known.
    func add() -> Int {
        condition.withLock {
            awaited += 1
            return held
        }
    }

    /// Notes that a picture has been drawn, or is gone.
    func release() {
        condition.withLock {
            awaited -= 1
            if awaited == 0 { condition.signal() }
        }
    }

    var version: Int { condition.withLock { held } }

    /// Calls `body`, which reads samples.
    func read<Result>(_ body: () -> Result) -> Result { condition.withLock { body() } }

    /// Calls `body`, which makes the next picture of this one. False where somebody still awaits the present one after
    /// `patience`.
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
