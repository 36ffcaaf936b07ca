import HelioAppleMedia
import HelioCore
import Testing

@Suite("The model of a window")
struct WindowModelTests {
    final class Host: WindowHosting {
        var said: [String] = []
        var texts: [WindowTexts] = []
        var locksPointer = true
        func setTitle(_ title: String) { said.append("title \(title)") }
        func setTexts(_ texts: WindowTexts) { self.texts.append(texts) }
        func setFullScreen(_ isOn: Bool) { said.append("full screen \(isOn)") }
        func setPointerLocked(_ isOn: Bool) { said.append("lock \(isOn)") }
        func setGrabsKeyboard(_ isOn: Bool) { said.append("grab \(isOn)") }
        func setPointer(_ pointer: PointerOverlay.Local) { said.append("pointer") }
        func adopt(_ picture: PixelSize) { said.append("adopt \(picture)") }
    }

    @Test("commands are obeyed and told, and the first picture takes the place of the waiting text")
    func commands() {
        let (surface, host) = (FakeSurface(), Host())
        let model = WindowModel(surface: surface, host: host, options: WindowOptions())
        model.begin(WindowOptions())
        #expect(host.texts.last?.text(at: .middle) == "Waiting for the first picture")
        let size = PixelSize(width: 64, height: 48)
        _ = model.show(
            DecompressedPicture(
                buffer: NumberedBuffer(0, size),
                description: PictureDescription(size: size, chroma: .yuv420, color: .bt709), damage: nil, frameIndex: 0,
                mediaTime: 0), now: .zero)
        #expect(host.said == ["adopt 64x48"] && host.texts.last?.text(at: .middle) == nil)
        model.take([
            .command(.toggleFullScreen), .command(.nextScaleMode), .command(.togglePointerLock), .command(.toggleHelp),
            .command(.toggleStatistics), .command(.quit),
        ])
        #expect(host.said.suffix(2) == ["full screen true", "lock true"])
        #expect(model.presenter.mode == .actual && host.texts.last?.showsHelp == true)
        let events = model.takeEvents()
        #expect(events.contains(.command(.toggleStatistics)) && events.last == .closeRequested)
        model.focusLost()
        #expect(host.said.last == "lock false" && model.takeEvents() == [.input(.focusLost)])
    }

    @Test("the system's keys are taken while the window has the keyboard, and a refusal is told")
    func grab() {
        let (surface, host) = (FakeSurface(), Host())
        var options = WindowOptions()
        options.grabsKeyboard = true
        let model = WindowModel(surface: surface, host: host, options: options)
        model.begin(options)
        #expect(!host.said.contains("grab true"))
        model.focusGained()
        model.focusGained()
        #expect(host.said.filter { $0.hasPrefix("grab") } == ["grab true"])
        #expect(model.takeEvents().contains(.input(.focusGained)))
        model.focusLost()
        model.take([.command(.toggleKeyboardGrab)])
        model.focusGained()
        model.take([.command(.toggleKeyboardGrab)])
        #expect(host.said.filter { $0.hasPrefix("grab") } == ["grab true", "grab false", "grab true"])
        model.keyboardGrabRefused()
        #expect(!model.grabsKeyboard && host.texts.last?.text(at: .bottom)?.contains("Accessibility") == true)
        model.focusLost()
        #expect(host.said.filter { $0.hasPrefix("grab") }.count == 3)
    }

    @Test("a system that lets no view hold the pointer says so, and moves go on by place")
    func noLock() {
        let (surface, host) = (FakeSurface(), Host())
        host.locksPointer = false
        let model = WindowModel(surface: surface, host: host, options: WindowOptions())
        model.begin(WindowOptions())
        model.take([.command(.togglePointerLock)])
        #expect(!model.input.isPointerLocked && !host.said.contains("lock true"))
        #expect(host.texts.last?.text(at: .bottom) == WindowModel<FakeSurface>.lockRefusal)
    }

    @Test("the pointer is held in the middle of the view, wherever the view lies on the desktop")
    func middle() {
        let view = FrameRect(x: -800, y: 100, width: 400, height: 300)
        #expect(DesktopPoint(middleOf: view, primaryHeight: 1000) == DesktopPoint(x: -600, y: 750))
        let above = FrameRect(x: 0, y: 1200, width: 100, height: 100)
        #expect(DesktopPoint(middleOf: above, primaryHeight: 1000) == DesktopPoint(x: 50, y: -250))
    }
}
