import HelioAppleMedia
import HelioCore
import HelioWindow
import Testing

@Suite("Showing pictures")
struct PicturePresenterTests {
    private static let size = PixelSize(width: 320, height: 180)
    private static let period = Duration.nanoseconds(16_666_667)

    private static func picture(_ number: Int, _ size: PixelSize = size) -> DecompressedPicture<NumberedBuffer> {
        DecompressedPicture(
            buffer: NumberedBuffer(number, size),
            description: PictureDescription(size: size, chroma: .yuv420, color: .bt709), damage: nil,
            frameIndex: UInt64(number), mediaTime: 0)
    }

    private static func refresh(_ number: Int) -> Instant {
        Instant(nanoseconds: 1_000_000_000 + period.nanoseconds * Int64(number))
    }

    @Test("one cache for the view's life, three drawings at most, none let go while it is read (row 72)")
    func inFlight() {
        let surface = FakeSurface()
        let presenter = PicturePresenter(surface: surface)
        var generator = SeededGenerator(seed: 72)
        var areThere = true
        for number in 0..<2000 {
            for _ in 0..<Int.random(in: 0...2, using: &generator) where !surface.jobs.isEmpty {
                areThere = surface.finish(isDone: Int.random(in: 0..<50, using: &generator) > 0) && areThere
            }
            if number % 500 == 250 { surface.size = PixelSize(width: 640 + number, height: 360) }
            if number % 500 == 250 { presenter.displayChanged() }
            _ = presenter.show(Self.picture(number), now: Self.refresh(number))
            presenter.tick(0, shown: Self.refresh(number))
        }
        #expect(surface.caches.count == 1)
        #expect(surface.most == 3 && areThere)
        #expect(presenter.drops[.inFlight] > 0 && presenter.drops[.superseded] > 0 && presenter.drops[.failed] > 0)
        #expect(
            presenter.drawnPictures + presenter.drops[.superseded] + (presenter.drops[.inFlight] > 0 ? 1 : 0) >= 2000)
        #expect(surface.drawn == surface.drawn.sorted(), "never an older one after a newer")
    }

    @Test("the newest picture is shown, and those before it are counted")
    func newest() {
        let surface = FakeSurface()
        let presenter = PicturePresenter(surface: surface)
        for number in 0..<5 { _ = presenter.show(Self.picture(number), now: .zero) }
        presenter.tick(0, shown: Self.refresh(0))
        presenter.tick(0, shown: Self.refresh(1))
        #expect(surface.drawn == [4], "and a second refresh without news draws nothing")
        #expect(presenter.drops[.superseded] == 4)
        #expect(presenter.picture?.frameIndex == 4)
    }

    @Test("a zoomed picture moves its corners, not the surface, and touches find the pixel that is under them")
    func zoom() {
        let surface = FakeSurface()
        let presenter = PicturePresenter(surface: surface)
        _ = presenter.show(Self.picture(0), now: .zero)
        presenter.tick(0, shown: Self.refresh(0))
        presenter.setZoom(ViewZoom(scale: 2, dx: 100, dy: -50))
        #expect(presenter.layout.turned.content == PixelRect(x: -220, y: -230, width: 1280, height: 720))
        #expect(presenter.layout.view == surface.size && presenter.layout.scale == (4, 4))
        let place = presenter.layout.viewPoint(ofX: 160, y: 90)
        #expect(place == (422, 132))
        let found = presenter.layout.normalized(x: place.x, y: place.y).map { (Int($0.x * 320), Int($0.y * 180)) }
        #expect(found?.0 == 160 && found?.1 == 90)
        presenter.tick(0, shown: Self.refresh(1))
        #expect(surface.drawn == [0, 0], "it is drawn once more")
        #expect(surface.jobs.last?.scene.quad == presenter.layout.quad)
        // Nothing of an app makes the layout impossible.
        for wild in [Double.nan, .infinity, 1e300] { presenter.setZoom(ViewZoom(scale: wild, dx: wild, dy: 0)) }
        #expect(presenter.layout.turned.content.width > 0)
        presenter.setZoom(.none)
        #expect(presenter.layout.turned.content == PixelRect(surface.size))
    }

    @Test("a graphics processor that never ends stops the drawing, not the viewer; the newest follows when it does")
    func hung() {
        let surface = FakeSurface()
        let presenter = PicturePresenter(surface: surface)
        for number in 0..<10 {
            _ = presenter.show(Self.picture(number), now: .zero)
            presenter.tick(0, shown: Self.refresh(number))
        }
        #expect(surface.drawn == [0, 1, 2] && presenter.inFlight == 3)
        #expect(surface.finish())
        presenter.tick(0, shown: Self.refresh(10))
        #expect(surface.drawn == [0, 1, 2, 9])
    }

    @Test("without news the display link rests, and a picture wakes it")
    func rest() {
        let surface = FakeSurface()
        let presenter = PicturePresenter(surface: surface)
        _ = presenter.show(Self.picture(0), now: .zero)
        #expect(surface.isTicking)
        for number in 0..<20 where surface.isTicking { presenter.tick(0, shown: Self.refresh(number)) }
        #expect(!surface.isTicking)
        _ = presenter.show(Self.picture(1), now: .zero)
        #expect(surface.isTicking)
    }

    @Test("what can't be drawn is counted, and what has failed is drawn again")
    func failures() {
        let surface = FakeSurface()
        let presenter = PicturePresenter(surface: surface)
        _ = presenter.show(Self.picture(0), now: .zero)
        surface.refuses = true
        presenter.tick(0, shown: Self.refresh(0))
        #expect(presenter.drops[.notDrawn] == 1 && presenter.inFlight == 0)
        surface.refuses = false
        presenter.tick(0, shown: Self.refresh(1))
        #expect(surface.finish(isDone: false))
        presenter.tick(0, shown: Self.refresh(2))
        #expect(surface.drawn == [0, 0] && presenter.drops[.failed] == 1)
        surface.caches[0].fails = true
        _ = presenter.show(Self.picture(1), now: .zero)
        presenter.tick(0, shown: Self.refresh(3))
        #expect(presenter.drops[.noTextures] == 1 && surface.caches[0].flushes == 1 && surface.caches.count == 1)
    }

    @Test("the instant that is told is that of the next refresh", arguments: [60, 120])
    func shownInstant(rate: Int) {
        var clock = RefreshClock()
        let period = Duration.nanoseconds(1_000_000_000 / Int64(rate))
        let start = Instant(nanoseconds: 5_000_000_000)
        for number in 0..<4 { clock.tick(start + period * number) }
        // A single skipped picture does not halve the rate.
        clock.tick(start + period * 5)
        #expect(clock.rate == rate)
        let last = start + period * 5
        #expect(clock.nextShown(after: last - .milliseconds(1)) == last)
        #expect(clock.nextShown(after: last + period * 10 + .milliseconds(1)) == last + period * 11)
        #expect(RefreshClock().nextShown(after: start) == start && RefreshClock().rate == nil)
    }

    @Test("a turned picture is drawn upright and input finds its pixel (row 94)", arguments: QuarterTurn.allCases)
    func turns(turn: QuarterTurn) {
        let layout = ViewLayout(
            picture: Self.size, view: PixelSize(width: 700, height: 700), mode: .fit, turn: turn)
        #expect(layout.turned.picture == turn.size(of: Self.size))
        for (x, y) in [(0, 0), (319, 0), (10, 170), (160, 90)] {
            let place = layout.viewPoint(ofX: x, y: y)
            let back = layout.clampedNormalized(x: place.x, y: place.y)
            #expect(Int(back.x * 320) == x && Int(back.y * 180) == y)
        }
        // The picture's upper left corner is at the position that the rotation gives.
        let corner = layout.quad.corners.first { $0.z == 0 && $0.w == 0 }
        let expected: (Float, Float) =
            switch turn {
            case .none: (-1, 1)
            case .right: (1, 1)
            case .half: (1, -1)
            case .left: (-1, -1)
            }
        #expect(corner.map { ($0.x < 0) == (expected.0 < 0) && ($0.y > 0) == (expected.1 > 0) } == true)
    }

    @Test("the pointer is drawn where nobody here moves it, its hot spot on its place")
    func pointer() {
        let surface = FakeSurface()
        let presenter = PicturePresenter(surface: surface)
        _ = presenter.show(Self.picture(0), now: .zero)
        let shape = CursorShape(
            size: PixelSize(width: 8, height: 8), hotspotX: 2, hotspotY: 4,
            rgba: [UInt8](repeating: 255, count: 256))
        presenter.pointer.setShape(shape)
        presenter.pointer.setPosition((x: 160, y: 90))
        presenter.tick(0, shown: Self.refresh(0))
        // The scale is 2: the view is twice the picture's size.
        #expect(surface.jobs[0].scene.pointer?.rect == PixelRect(x: 321 - 4, y: 181 - 8, width: 16, height: 16))
        presenter.pointer.controls = true
        presenter.pointer.isOverPicture = true
        presenter.tick(0, shown: Self.refresh(1))
        #expect(surface.jobs[1].scene.pointer == nil)
        #expect(presenter.pointer.local(in: presenter.layout) != .system)
        presenter.pointer.setShape(nil)
        #expect(presenter.pointer.local(in: presenter.layout) == .hidden)
    }
}
