import HelioCore
import HelioWindow
import Testing

@Suite struct PictureLayoutTests {
    struct Case: Sendable {
        var picture: (Int, Int)
        var window: (Int, Int)
        var mode: ScaleMode
        var scroll = (0, 0)
        var content: PixelRect
    }

    static let cases: [Case] = [
        Case(picture: (1920, 1080), window: (1920, 1080), mode: .fit, content: rect(0, 0, 1920, 1080)),
        Case(picture: (1920, 1080), window: (1280, 720), mode: .fit, content: rect(0, 0, 1280, 720)),
        Case(picture: (1920, 1080), window: (1000, 1000), mode: .fit, content: rect(0, 218, 1000, 563)),
        Case(picture: (1080, 1920), window: (1920, 1080), mode: .fit, content: rect(656, 0, 608, 1080)),
        Case(picture: (640, 480), window: (1920, 1080), mode: .fit, content: rect(240, 0, 1440, 1080)),
        Case(picture: (10_000, 2), window: (100, 100), mode: .fit, content: rect(0, 49, 100, 1)),
        Case(picture: (640, 480), window: (1000, 700), mode: .actual, content: rect(180, 110, 640, 480)),
        Case(picture: (1920, 1080), window: (800, 600), mode: .actual, content: rect(0, 0, 1920, 1080)),
        Case(
            picture: (1920, 1080), window: (800, 600), mode: .actual, scroll: (101, 50),
            content: rect(-100, -50, 1920, 1080)),
        Case(
            picture: (1920, 1080), window: (800, 600), mode: .actual, scroll: (9999, 9999),
            content: rect(-1120, -480, 1920, 1080)),
        Case(
            picture: (101, 80), window: (100, 100), mode: .actual, scroll: (50, 50), content: rect(-2, 10, 101, 80)),
        Case(picture: (640, 480), window: (1920, 1080), mode: .integer, content: rect(320, 60, 1280, 960)),
        Case(picture: (640, 480), window: (640, 480), mode: .integer, content: rect(0, 0, 640, 480)),
        Case(picture: (640, 480), window: (639, 480), mode: .integer, content: rect(159, 120, 320, 240)),
        Case(picture: (1920, 1080), window: (700, 700), mode: .integer, content: rect(30, 170, 640, 360)),
        Case(picture: (0, 0), window: (700, 700), mode: .fit, content: rect(350, 350, 0, 0)),
    ]

    static func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(x: x, y: y, width: width, height: height)
    }

    @Test(arguments: cases)
    func placesThePicture(_ c: Case) {
        let layout = PictureLayout(
            picture: PixelSize(width: c.picture.0, height: c.picture.1),
            window: PixelSize(width: c.window.0, height: c.window.1), mode: c.mode, scrollX: c.scroll.0,
            scrollY: c.scroll.1)
        #expect(layout.content == c.content)
        #expect(layout.isScaled == (c.content.width != c.picture.0 || c.content.height != c.picture.1))
    }

    /// Without scaling, a window's pixel maps exactly to the picture's.
    @Test func unscaledPointsAreExact() throws {
        let layout = PictureLayout(
            picture: PixelSize(width: 1917, height: 1079), window: PixelSize(width: 500, height: 400), mode: .actual,
            scrollX: 600, scrollY: 200)
        for x in 0..<500 {
            let place = try #require(layout.normalized(x: x, y: 7))
            #expect(Int(place.x * 1917) == 600 + x)
            #expect(Int(place.y * 1079) == 207)
        }
    }

    @Test func barsAreOutside() {
        let layout = PictureLayout(
            picture: PixelSize(width: 640, height: 480), window: PixelSize(width: 1920, height: 1080), mode: .fit)
        #expect(layout.normalized(x: 239, y: 500) == nil)
        #expect(layout.normalized(x: 240, y: 500) != nil)
        #expect(layout.normalized(x: 1679, y: 500) != nil)
        #expect(layout.normalized(x: 1680, y: 500) == nil)
        #expect(layout.clampedNormalized(x: -50, y: 2000).x == 0.5 / 1440)
        #expect(layout.clampedNormalized(x: -50, y: 2000).y == 1079.5 / 1080)
    }
}
