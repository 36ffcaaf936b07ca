import HelioCore
import HelioGround

/// A simulated viewing machine: it decodes the output of `FakeEncoder`, and has a window without a screen.
struct FakeSink: SinkPlatform {
    let person = FakePerson()
    var sound: (any SoundPlatform)?

    func makeDecoder(
        _ codec: VideoCodec, choice: CodecChoice, mayReorder: Bool, mostSamples: Int
    ) throws(HelioError) -> FakePlatformDecoder {
        FakePlatformDecoder(codec: codec)
    }

    func check(_ choice: CodecChoice) throws(HelioError) {
        if case .named(let name) = choice { throw HelioError(.unsupported, "There is no decoder '\(name)' in memory.") }
    }

    func hardwareCodecs(of choice: CodecChoice) -> Set<VideoCodec> { [] }

    func openWindow(title: String, options: WindowOptions) -> FakeWindow { FakeWindow(person, title, options) }
}

final class FakePlatformDecoder: VideoDecoding {
    struct Picture: DecodedImaging {
        let number: UInt8
        let size: PixelSize
        var description: PictureDescription { PictureDescription(size: size, chroma: .yuv420, color: .bt709) }
        var damage: Region? { nil }

        func meanLuma(everyRow step: Int) -> Double { Double(number) }
    }

    let codec: VideoCodec
    let summary = "fake decoder"
    let isHardware = false
    let refusedSize: PixelSize? = nil

    init(codec: VideoCodec) { self.codec = codec }

    func decode(_ frame: ReceivedFrame) throws(HelioError) -> Picture? {
        let end = Array(frame.annexB.suffix(3))
        guard end.count == 3 else { throw HelioError(.decoderFailed, "That was never coded in memory.") }
        return Picture(number: end[0], size: PixelSize(width: Int(end[1]) * 16, height: Int(end[2]) * 16))
    }

    func reset() {}
}

/// The user of a fake window: sends input, and records what the window shows.
final class FakePerson: Sendable {
    let diary = FakeDiary()
    private let events = ThreadMailbox<[WindowEvent]>([])

    func act(_ event: WindowEvent) { events.put { $0.append(event) } }

    fileprivate func wait(until: Instant?) -> [WindowEvent] {
        let found = events.take(until: until) { waiting -> [WindowEvent]? in
            if waiting.isEmpty { return nil }
            defer { waiting = [] }
            return waiting
        }
        return found ?? []
    }
}

final class FakeWindow: FramePresenting {
    private let person: FakePerson
    private(set) var picture: FakePlatformDecoder.Picture?

    fileprivate init(_ person: FakePerson, _ title: String, _ options: WindowOptions) {
        self.person = person
        setTitle(title)
        setWaitingText(options.waitingText)
    }

    var waker: @Sendable () -> Void {
        { [person] in person.act(.woken) }
    }

    func wait(until: Instant?) -> [WindowEvent] { person.wait(until: until) }

    func show(_ picture: FakePlatformDecoder.Picture, damage: Region?) -> Instant {
        self.picture = picture
        person.diary.write("picture \(picture.number) \(picture.size)")
        return MonotonicClock.now
    }

    func setScaleMode(_ mode: ScaleMode) { person.diary.write("scale \(mode)") }
    func setTitle(_ title: String) { person.diary.write("title \(title)") }
    func setWaitingText(_ text: String) { person.diary.write("waiting \(text)") }
    func setMessage(_ text: String?) { person.diary.write("message \(text ?? "-")") }
    func setStatistics(_ lines: [String]?) { person.diary.write(lines == nil ? "no statistics" : "statistics") }
    func setControls(_ isOn: Bool) { person.diary.write("controls \(isOn)") }
    func setCursorShape(_ shape: CursorShape?) {
        person.diary.write("cursor \(shape.map { "\($0.size)" } ?? "-")")
    }
    func setCursorPosition(_ position: (x: Int, y: Int)?) {}
}
