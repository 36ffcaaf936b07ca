import HelioAppleMedia
import HelioCore
import Synchronization
import Testing

/// A recorder's picture without pixels: only its number, size and rotation.
struct Sheet: Sendable, Hashable {
    var number: Int
    var size: PixelSize
    var turn = PictureRotation.none
}

/// A recorder whose events are scripted.
final class ScriptedRecorder: ScreenRecording, Sendable {
    struct State: Sendable {
        var starts = 0
        var stops = 0
        var tell: (@Sendable (RecorderEvent<Sheet>) -> Void)?
    }

    let state = Mutex(State())
    var starts: Int { state.withLock { $0.starts } }
    var stops: Int { state.withLock { $0.stops } }

    func start(_ tell: @escaping @Sendable (RecorderEvent<Sheet>) -> Void) {
        state.withLock { ($0.starts, $0.tell) = ($0.starts + 1, tell) }
    }

    func stop() { state.withLock { $0.stops += 1 } }
    func tell(_ event: RecorderEvent<Sheet>) { state.withLock { $0.tell }?(event) }

    func picture(_ number: Int, _ width: Int, _ height: Int, turn: PictureTurn = .none) {
        tell(.picture(Sheet(number: number, size: PixelSize(width: width, height: height)), turn))
    }
}

/// Scales and rotates sheets.
final class SheetTransfers: PictureTransfers {
    final class Box {
        var sheet: Sheet
        init(_ sheet: Sheet) { self.sheet = sheet }
    }

    final class Transfer: PictureTransfer {
        let owner: SheetTransfers
        init(_ owner: SheetTransfers) { self.owner = owner }

        func scale(_ picture: Box, into result: Box) -> SessionStatus {
            if owner.fails { return .other(-1) }
            result.sheet.number = picture.sheet.number
            return .done
        }

        func turn(_ picture: Box, by rotation: PictureRotation, into result: Box) -> SessionStatus {
            guard result.sheet.size == rotation.turned(picture.sheet.size) else { return .other(-2) }
            (result.sheet.number, result.sheet.turn) = (picture.sheet.number, rotation)
            return .done
        }

        func invalidate() {}
    }

    final class Pool: PicturePool {
        let size: PixelSize
        init(_ size: PixelSize) { self.size = size }
        func take() -> Box? { Box(Sheet(number: -1, size: size)) }
    }

    let fails: Bool
    init(fails: Bool = false) { self.fails = fails }
    func makeSession() -> Result<Transfer, SessionFailure> { .success(Transfer(self)) }
    func makePool(_ size: PixelSize, like _: Box, limit _: Int) -> Pool? { Pool(size) }
    func size(of picture: Box) -> PixelSize { picture.sheet.size }
    func copyColor(from _: Box, to _: Box) {}
}

@Suite("The screen of a device, by its recorder")
struct RecorderStreamTests {
    typealias Stream = RecorderStream<SheetTransfers, Sheet>

    let recorder = ScriptedRecorder()
    let waiter = ScriptedWaiter()
    let told = Told()

    final class Told: Sendable {
        let texts = Mutex<[String]>([])
    }

    private func stream(fails: Bool = false, of recorder: any ScreenRecording<Sheet>) -> Stream {
        let told = told
        return Stream(
            recorder, shaper: PictureShaper(SheetTransfers(fails: fails), preset: nil),
            open: { SheetTransfers.Box($0) },
            box: { $0.sheet }, tell: { text in told.texts.withLock { $0.append(text) } })
    }

    private func open(_ stream: Stream) throws -> StreamScreen<Stream> {
        try StreamScreen(stream: stream, monitor: nil, framesPerSecond: 60, waiter: waiter)
    }

    private func take(_ screen: StreamScreen<Stream>, _ size: PixelSize) throws -> Sheet? {
        let picture = try screen.makePicture(size: size, chroma: .yuv420, color: .bt709)
        return try screen.capture(into: picture, everything: false).flatMap { _ in picture.buffer }
    }

    @Test("the screen takes the first picture's size, and shows that picture though no other follows")
    func firstPicture() throws {
        let screen = try open(stream(of: recorder))
        recorder.tell(.answered(nil))
        recorder.picture(1, 886, 1921)
        #expect(try screen.waitForChange(until: .zero) == .layoutChanged)
        let size = PixelSize(width: 886, height: 1920)
        #expect(screen.size == size && screen.layout.selected.name == "This device" && recorder.starts == 1)
        #expect(try screen.waitForChange(until: .zero) == .changed(at: .zero))
        #expect(try take(screen, size) == Sheet(number: 1, size: size))
        recorder.picture(2, 886, 1921)
        #expect(try take(screen, size)?.number == 2)
    }

    @Test("a turned device is another layout, and its pictures are set upright; the person is asked once")
    func turned() throws {
        let screen = try open(stream(of: recorder))
        recorder.tell(.answered(nil))
        recorder.picture(1, 1170, 2532)
        #expect(try take(screen, screen.size)?.turn == PictureRotation.none)
        recorder.picture(2, 1170, 2532, turn: .quarter)
        while try screen.waitForChange(until: .zero) != .timeout {}
        let size = PixelSize(width: 2532, height: 1170)
        #expect(screen.size == size)
        #expect(try take(screen, size) == Sheet(number: 2, size: size, turn: .quarter))
        #expect(recorder.starts == 1 && recorder.stops == 0)
        // The same picture at half the size, while the screen is still.
        let half = PixelSize(width: 1266, height: 586)
        #expect(try take(screen, half) == Sheet(number: 2, size: half, turn: .quarter))
    }

    @Test("it pauses while the app is away, tells the person why, and goes on by itself")
    func away() throws {
        let screen = try open(stream(of: recorder))
        recorder.tell(.answered(nil))
        recorder.tell(.left)
        #expect(recorder.stops == 1 && told.texts.withLock { $0 } == [RecorderLife.awayMessage])
        // A recorder's error after it was stopped is ignored.
        recorder.tell(.stopped(.failed(-5829)))
        #expect(try screen.waitForChange(until: .zero) == .timeout)
        recorder.tell(.returned)
        recorder.tell(.answered(nil))
        recorder.picture(3, 1170, 2532)
        #expect(recorder.starts == 2)
        #expect(try take(screen, screen.size)?.number == 3)
    }

    @Test("a person's no is told at once; what the system stops is started again")
    func refusals() throws {
        let screen = try open(stream(of: recorder))
        recorder.tell(.answered(.bySystem))
        #expect(try screen.waitForChange(until: .zero) == .timeout)
        waiter.advance(.milliseconds(200))
        #expect(try screen.waitForChange(until: waiter.now) == .timeout)
        #expect(recorder.starts == 2)
        recorder.tell(.answered(StreamStop(replayKit: -5801)))
        let error = #expect(throws: HelioError.self) { try screen.waitForChange(until: .zero) }
        #expect(error?.code == .captureFailed && error?.message.contains("declined") == true)
    }

    @Test("pictures of no use are dropped and counted, and the recorder ends with its stream")
    func drops() throws {
        var stream: Stream? = stream(fails: true, of: recorder)
        let settings = StreamSettings(
            display: "1", size: PixelSize(width: 100, height: 200), framesPerSecond: 60, chroma: .yuv420, color: .bt709,
            generation: 4)
        let events = Mutex(0)
        stream?.start(settings) { _, generation in events.withLock { $0 += generation } }
        recorder.tell(.answered(nil))
        recorder.picture(1, 8, 8)
        recorder.picture(2, 1170, 2532)
        #expect(stream?.drops[.wrongSize] == 1 && stream?.drops[.notShaped] == 1 && events.withLock { $0 } == 0)
        stream?.stop()
        recorder.picture(3, 1170, 2532)
        #expect(stream?.drops[.notWanted] == 1 && recorder.stops == 0)
        stream = nil
        #expect(recorder.stops == 1)
        recorder.picture(4, 1170, 2532)
        recorder.tell(.stopped(.bySystem))
        #expect(events.withLock { $0 } == 0)
    }

    @Test("a broadcast feeds the same screen, and ends it for good")
    func broadcast() throws {
        let feed = FedRecording<Sheet>()
        let screen = try open(stream(of: feed))
        let size = PixelSize(width: 1170, height: 2532)
        feed.take(Sheet(number: 7, size: size), turn: .none)
        #expect(try take(screen, size)?.number == 7)
        feed.hear(.hold)
        feed.hear(.goOn)
        feed.hear(.close)
        #expect(throws: HelioError.self) { try screen.waitForChange(until: .zero) }
        #expect(throws: HelioError.self) { try open(stream(of: feed)).waitForChange(until: .zero) }
    }

    @Test("no app gives input to such a device, and it has no pointer")
    func noInput() {
        #expect(throws: HelioError.self) { try NoInjector.open() }
        #expect(NoCursor().takeShape() == nil && NoCursor().takePosition() == nil && !NoCursor().isOnScreen)
    }
}
