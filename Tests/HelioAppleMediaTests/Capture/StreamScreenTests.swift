import HelioAppleMedia
import HelioCore
import Testing

@Suite("A screen that a stream captures")
struct StreamScreenTests {
    let stream = ScriptedStream()
    let waiter = ScriptedWaiter()

    private func open(_ monitor: String? = nil) throws -> StreamScreen<ScriptedStream> {
        try StreamScreen(stream: stream, monitor: monitor, framesPerSecond: 60, waiter: waiter)
    }

    private func picture(of screen: StreamScreen<ScriptedStream>) throws -> HeldPicture<Int> {
        try screen.makePicture(size: screen.size, chroma: .yuv420, color: .bt709)
    }

    private func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> FrameRect {
        FrameRect(x: x, y: y, width: width, height: height)
    }

    @Test("the newest frame is taken, with the damage of those that it replaced, which are counted")
    func newest() throws {
        let screen = try open()
        let picture = try picture(of: screen)
        stream.frame(1)
        #expect(try screen.waitForChange(until: nil) == .changed(at: .zero))
        let first = try #require(try screen.capture(into: picture, everything: false))
        #expect(first.damage == Region(PixelRect(screen.size)))
        stream.frame(2, dirty: [rect(0, 0, 10, 10)])
        stream.frame(3, dirty: [rect(100, 100, 1, 1)])
        let second = try #require(try screen.capture(into: picture, everything: false))
        #expect(picture.buffer == 3)
        let blocks = [PixelRect(x: 0, y: 0, width: 16, height: 16), PixelRect(x: 96, y: 96, width: 16, height: 16)]
        #expect(Set(second.damage.rects) == Set(blocks))
        #expect(screen.drops[.replaced] == 1)
        #expect(try screen.capture(into: picture, everything: false) == nil)
    }

    @Test("a change is told once, the deadline and the waker end a wait, and a wake is not lost behind a change")
    func waits() throws {
        let screen = try open()
        let wake = screen.waker
        #expect(try screen.waitForChange(until: .zero + .seconds(1)) == .timeout)
        #expect(waiter.now == .zero + .seconds(1))
        waiter.during { [stream] in
            stream.frame(1)
            wake()
        }
        #expect(try screen.waitForChange(until: nil) == .changed(at: .zero + .seconds(1)))
        #expect(try screen.waitForChange(until: nil) == .woken)
        #expect(try screen.waitForChange(until: waiter.now + .seconds(1)) == .timeout)
    }

    @Test("frames without news change nothing", arguments: [1, 2, 3, 5])
    func idle(status: Int) throws {
        let screen = try open()
        let status = try #require(StreamFrame<Int>.Status(rawValue: status))
        stream.tell(.frame(StreamFrame(status: status, buffer: 1, size: screen.size)))
        stream.tell(.frame(StreamFrame(buffer: nil, size: screen.size)))
        #expect(try screen.waitForChange(until: .zero + .seconds(1)) == .timeout)
        #expect(screen.drops[.withoutPicture] == 1)
    }

    @Test("who wants everything gets the last picture again")
    func everything() throws {
        let screen = try open()
        let picture = try picture(of: screen)
        #expect(try screen.capture(into: picture, everything: true) == nil)
        stream.frame(1)
        _ = try screen.capture(into: picture, everything: false)
        picture.buffer = nil
        let again = try #require(try screen.capture(into: picture, everything: true))
        #expect(picture.buffer == 1)
        #expect(again.damage == Region(PixelRect(screen.size)))
    }

    @Test("a stream that stops is started again after growing waits, and its late frames are dropped")
    func restarts() throws {
        let screen = try open()
        stream.frame(1)
        _ = try screen.waitForChange(until: nil)
        waiter.during { [stream] in stream.tell(.stopped(.bySystem)) }
        #expect(try screen.waitForChange(until: .zero + .seconds(1)) == .timeout)
        #expect(stream.starts.count == 2)
        stream.frame(2, start: 0)
        stream.tell(.stopped(.byPerson), start: 0)
        #expect(screen.drops[.afterStop] == 1)
        stream.frame(3)
        #expect(try screen.waitForChange(until: nil) == .changed(at: waiter.now))
        let picture = try picture(of: screen)
        #expect(try screen.capture(into: picture, everything: false)?.damage == Region(PixelRect(screen.size)))
        #expect(picture.buffer == 3)
    }

    @Test("a stream that always stops ends in an error, after a bounded time")
    func givesUp() throws {
        let screen = try open()
        for _ in 0..<StreamRestart.waits.count {
            stream.tell(.stopped(.failed(-3811)))
            #expect(try screen.waitForChange(until: waiter.now + .seconds(6)) == .timeout)
        }
        stream.tell(.stopped(.failed(-3811)))
        let error = #expect(throws: HelioError.self) { try screen.waitForChange(until: nil) }
        #expect(error?.code == .captureFailed)
        #expect(error?.message.contains("-3811") == true)
        #expect(stream.starts.count == StreamRestart.waits.count + 1)
    }

    @Test("a stream that gave frames is started again for as long as the display sleeps, and gives frames after it")
    func displaySleeps() throws {
        let screen = try open()
        stream.frame(1)
        #expect(try screen.waitForChange(until: nil) == .changed(at: .zero))
        let stops = StreamRestart.waits.count + 30
        for _ in 0..<stops {
            stream.tell(.stopped(.bySystem))
            #expect(try screen.waitForChange(until: waiter.now + .seconds(6)) == .timeout)
        }
        #expect(stream.starts.count == stops + 1)
        // Not more often than every five seconds, however long it takes.
        #expect(waiter.now >= .zero + .seconds(30 * 5))
        stream.frame(2)
        #expect(try screen.waitForChange(until: nil) == .changed(at: waiter.now))
    }

    @Test("a window that is gone, and a stream that ignores its settings, are given up though they gave frames")
    func goneForGood() {
        for (stop, isWindow) in [(StreamStop.sourceGone, true), (.ignoresSettings, false)] {
            var restart = StreamRestart()
            restart.succeeded()
            var last = StreamRestart.Step.restart(at: .zero)
            for _ in 0...StreamRestart.waits.count { last = restart.step(after: stop, isWindow: isWindow, now: .zero) }
            guard case .fail(let error) = last else {
                Issue.record("\(stop) is tried again for ever")
                continue
            }
            #expect(error.code == .captureFailed)
        }
    }

    @Test("the display is kept awake while a viewer watches")
    func keepsAwake() throws {
        let screen = try open()
        screen.keepAwake(true)
        screen.keepAwake(false)
        #expect(stream.awake == [true, false])
    }

    @Test("what the person stopped, or never allowed, is not started again", arguments: [-3817, -3801])
    func refused(code: Int) throws {
        let screen = try open()
        stream.tell(.stopped(StreamStop(screenCaptureKit: code)))
        let error = #expect(throws: HelioError.self) { try screen.waitForChange(until: nil) }
        #expect(error?.code == .captureFailed)
        #expect(stream.starts.count == 1)
    }

    @Test("a picture of another size has the stream scale; frames of the size before are dropped meanwhile")
    func sizes() throws {
        let screen = try open()
        let small = try screen.makePicture(
            size: PixelSize(width: 640, height: 360), chroma: .yuv420, color: .bt709)
        stream.frame(1)
        #expect(try screen.capture(into: small, everything: true) == nil)
        #expect(stream.updates.last?.size == small.size)
        stream.frame(2, size: screen.size)
        #expect(try screen.capture(into: small, everything: true) == nil)
        #expect(screen.drops[.otherSize] == 1)
        stream.frame(3, dirty: [rect(639, 359, 1, 1)])
        #expect(try screen.capture(into: small, everything: true)?.damage == Region(PixelRect(small.size)))
        #expect(small.buffer == 3)
    }

    @Test("a stream that does not scale as it is told is started anew")
    func misfits() throws {
        let screen = try open()
        for number in 0..<60 { stream.frame(number, size: PixelSize(width: 320, height: 200)) }
        #expect(try screen.waitForChange(until: .zero + .seconds(1)) == .timeout)
        #expect(stream.starts.count == 2)
    }

    @Test("a chosen monitor that vanishes is replaced by the main one, and taken up again when it is back")
    func unplugged() throws {
        stream.setDisplays([.main, .left])
        let screen = try open("Left")
        #expect(screen.layout.selected.rect == PixelRect(x: -800, y: -100, width: 800, height: 600))
        stream.setDisplays([.main])
        stream.tell(.stopped(.sourceGone))
        #expect(try screen.waitForChange(until: nil) == .layoutChanged)
        #expect(screen.layout.selected.id == "1")
        #expect(stream.starts.last?.display == "1")
        stream.frame(1)
        #expect(try screen.waitForChange(until: nil) == .changed(at: waiter.now))
        stream.setDisplays([.main, .left])
        stream.tell(.displaysChanged)
        #expect(try screen.capture(into: try picture(of: screen), everything: true) == nil)
        #expect(try screen.waitForChange(until: nil) == .layoutChanged)
        #expect(screen.layout.selected.id == "7")
        #expect(stream.starts.last?.size == PixelSize(width: 800, height: 600))
    }

    @Test("another monitor is captured once it is chosen; one that is not there is refused")
    func select() throws {
        stream.setDisplays([.main, .left])
        let screen = try open()
        #expect(throws: HelioError.self) { try screen.select("9") }
        try screen.select("7")
        #expect(try screen.waitForChange(until: nil) == .layoutChanged)
        #expect(screen.size == PixelSize(width: 800, height: 600))
    }

    @Test("no display, or none of that name, is an error")
    func nothing() throws {
        #expect(throws: HelioError.self) { try open("Right") }
        stream.setDisplays([])
        #expect(throws: HelioError.self) { try open() }
    }

    @Test("the system draws the pointer where somebody has nothing to draw it")
    func pointer() throws {
        let screen = try open()
        let shape = CursorShape(size: PixelSize(width: 1, height: 1), hotspotX: 0, hotspotY: 0, rgba: [0, 0, 0, 255])
        screen.draw(DrawnPointer(shape: shape, x: 0, y: 0))
        screen.draw(DrawnPointer(shape: shape, x: 5, y: 0))
        #expect(stream.updates.map(\.showsCursor) == [true])
        screen.draw(nil)
        #expect(stream.updates.map(\.showsCursor) == [true, false])
    }

    @Test("a window is followed where it goes, and its end is the end of what is shared")
    func window() throws {
        func displays(x: Double, width: Double) -> [DisplayInfo] {
            let frame = FrameRect(x: x, y: 20, width: width, height: 200)
            return [.main] + DisplayInfo.windows([DisplayInfoTests.window(5, frame: frame)], on: [.main])
        }
        stream.setDisplays(displays(x: 10, width: 300))
        let screen = try open("window-5")
        #expect(screen.size == PixelSize(width: 600, height: 400) && stream.starts.last?.display == "window-5")
        #expect(screen.layout.monitors.count == 1)
        stream.setDisplays(displays(x: 40, width: 300))
        #expect(try screen.waitForChange(until: .zero) == .timeout)
        #expect(try screen.waitForChange(until: .zero + .seconds(5)) == .layoutChanged)
        #expect(waiter.now == .zero + .seconds(1) && screen.layout.selected.rect.x == 80 && stream.starts.count == 1)
        stream.setDisplays(displays(x: 40, width: 400))
        #expect(try screen.waitForChange(until: .zero + .seconds(5)) == .layoutChanged)
        #expect(screen.size == PixelSize(width: 800, height: 400) && stream.starts.count == 2)
        stream.setDisplays([.main])
        stream.tell(.stopped(.sourceGone))
        #expect(throws: HelioError.self) {
            while true {
                let event = try screen.waitForChange(until: waiter.now + .seconds(60))
                #expect(event == .timeout)
                stream.tell(.stopped(.sourceGone))
            }
        }
        #expect(screen.layout.selected.id == "window-5")
    }
}
