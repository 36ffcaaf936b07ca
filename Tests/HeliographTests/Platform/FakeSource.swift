import Foundation
import HelioCore
import HelioGround

/// A simulated sharing machine: its screen shows one number, which its encoder encodes.
struct FakeSource: SourcePlatform {
    /// Two monitors, the first of which is the primary one.
    static let monitors = [
        ScreenMonitor(
            id: "large", name: "large", rect: PixelRect(x: 0, y: 0, width: 640, height: 480), isPrimary: true),
        ScreenMonitor(
            id: "small", name: "small", rect: PixelRect(x: 640, y: 0, width: 320, height: 240), isPrimary: false),
    ]

    let content = FakeContent()
    /// The injected input.
    let diary = FakeDiary()
    var sound: (any SoundPlatform)?
    /// True if programs can inject input.
    var takesInput = true
    /// True if encoders work.
    var encodes = true

    func openScreen(display: String?, monitor: String?, framesPerSecond: Int) throws(HelioError) -> FakeScreen {
        if let display { throw HelioError(.captureFailed, "There is no display \(display).") }
        return FakeScreen(content)
    }

    func openTestScreen(size: PixelSize, framesPerSecond: Int) -> FakeScreen { FakeScreen(content) }
    func openCursor(on screen: FakeScreen) -> FakeCursor { FakeCursor() }
    func openInjector(display: String?) throws(HelioError) -> FakeInjector {
        if !takesInput { throw HelioError(.unsupported, "The fake display takes no input.") }
        return FakeInjector(diary)
    }
    func monitors(display: String?) -> [ScreenMonitor] { Self.monitors }

    var color: ColorDescription { .bt709 }
    func makeEncoder(_ format: VideoFormat, choice: CodecChoice) throws(HelioError) -> FakeEncoder {
        if !encodes { throw HelioError(.encoderFailed, "The fake encoder fails.") }
        return FakeEncoder(format)
    }

    func encoders() -> [EncoderDescription] { [] }
    func codec(ofEncoder name: String) -> VideoCodec { .h264 }
    func codecs(preferring first: VideoCodec) -> [VideoCodec] { [first] }
    func codesByHardware(_ codec: VideoCodec) -> Bool { false }
    func terminalQRCode(_ text: String) -> String? { nil }
}

/// The content of a fake screen. Callable from any thread.
///
/// `@unchecked Sendable`: all state is accessed with the condition locked.
final class FakeContent: @unchecked Sendable {
    private let condition = NSCondition()
    private var number: UInt8 = 10
    private var isNews = false
    private var isWoken = false

    /// Shows another number, from 4 to 255.
    func show(_ number: UInt8) {
        condition.withLock {
            self.number = number
            isNews = true
            condition.broadcast()
        }
    }

    func wake() {
        condition.withLock {
            isWoken = true
            condition.broadcast()
        }
    }

    var shown: UInt8 { condition.withLock { number } }

    func wait(until: Instant?) -> CaptureEvent {
        condition.withLock {
            while true {
                if isWoken {
                    isWoken = false
                    return .woken
                }
                let now = MonotonicClock.now
                if isNews {
                    isNews = false
                    return .changed(at: now)
                }
                guard let until else {
                    condition.wait()
                    continue
                }
                if until <= now { return .timeout }
                _ = condition.wait(until: Date(timeIntervalSinceNow: (until - now).inSeconds))
            }
        }
    }
}

final class FakeScreen: ScreenCapturing {
    final class Picture {
        let size: PixelSize
        fileprivate(set) var number: UInt8 = 0

        fileprivate init(_ size: PixelSize) { self.size = size }
    }

    private let content: FakeContent
    private var captured: UInt8?
    private var wanted: ScreenMonitor?
    private(set) var layout = MonitorLayout(FakeSource.monitors, selected: FakeSource.monitors[0])
    let notes = ["a screen in memory"]

    init(_ content: FakeContent) { self.content = content }

    var size: PixelSize { layout.selected.rect.size }

    var waker: @Sendable () -> Void {
        { [content] in content.wake() }
    }

    func select(_ id: ScreenMonitor.ID) throws(HelioError) { wanted = try layout.monitor(id) }

    func waitForChange(until: Instant?) -> CaptureEvent {
        if let wanted {
            layout = MonitorLayout(FakeSource.monitors, selected: wanted)
            self.wanted = nil
            return .layoutChanged
        }
        return content.wait(until: until)
    }

    func capture(into picture: Picture, everything: Bool) -> Captured? {
        let number = content.shown
        if wanted != nil || !everything && number == captured { return nil }
        captured = number
        picture.number = number
        let now = MonotonicClock.now
        return Captured(damage: Region(PixelRect(picture.size)), captured: now, converted: now)
    }

    func makePicture(size: PixelSize, chroma: ChromaSampling, color: ColorDescription) -> Picture { Picture(size) }
}

/// An encoder whose output consists of H.264 NAL units that can't be decoded: the last three bytes of each picture are
/// its number, and its width and height in macroblocks.
final class FakeEncoder: VideoEncoding {
    private(set) var format: VideoFormat
    let summary = "fake encoder"
    let isHardware = false
    let changesRatesInPlace = true
    let refinementSteps = 0
    let isSharp = true
    let quality: CodedQuality? = nil
    private var isFirst = true

    init(_ format: VideoFormat) { self.format = format }

    func encode(
        _ picture: FakeScreen.Picture, damage: Region, request: EncodeRequest, timing: FrameTiming,
        emit: (EncodedSlice) -> Void
    ) {
        let isKeyframe = request.keyframe || isFirst
        isFirst = false
        let sets: [UInt8] = [0, 0, 0, 1, 0x67, 0x64, 0x00, 0x2A, 0xAC, 0, 0, 0, 1, 0x68, 0xEE, 0x3C, 0x80]
        let unit: [UInt8] = [
            0, 0, 0, 1, isKeyframe ? 0x65 : 0x41, picture.number, UInt8(picture.size.width / 16),
            UInt8(picture.size.height / 16),
        ]
        emit(
            EncodedSlice(
                frameIndex: 0, annexB: isKeyframe ? sets + unit : unit, isFirst: true, isLast: true,
                isKeyframe: isKeyframe, timing: timing))
    }

    func reconfigure(_ format: VideoFormat) {
        if format.size != self.format.size { isFirst = true }
        self.format = format
    }
}

/// A pointer that is reported once and never changes.
final class FakeCursor: CursorSource {
    private var isTold = false

    func takeShape() -> CursorShape? {
        defer { isTold = true }
        return isTold
            ? nil
            : CursorShape(
                size: PixelSize(width: 2, height: 2), hotspotX: 0, hotspotY: 0, rgba: Array(repeating: 255, count: 16))
    }

    func takePosition() -> (x: Int, y: Int)? { nil }
    let isOnScreen = false
}

/// Records the input to be injected.
final class FakeInjector: InputInjecting {
    private let diary: FakeDiary

    init(_ diary: FakeDiary) { self.diary = diary }

    func follow(_ monitor: ScreenMonitor) { diary.write("follow \(monitor.id)") }
    func movePointer(toX x: Int, y: Int) { diary.write("pointer \(x) \(y)") }
    func movePointer(byX dx: Int, y dy: Int) { diary.write("pointer by \(dx) \(dy)") }
    func button(_ button: PointerButton, isDown: Bool) { diary.write("\(button) \(isDown)") }
    func scroll(dx: Int, dy: Int) { diary.write("scroll \(dx) \(dy)") }
    func key(usage: UInt16, isDown: Bool) { diary.write("key \(usage) \(isDown)") }
    func type(_ text: String) { diary.write("text \(text)") }
    func flush() {}
}
