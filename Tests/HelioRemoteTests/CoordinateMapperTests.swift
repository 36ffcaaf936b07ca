import HelioControlWire
import HelioCore
import HelioRemote
import Testing

struct CoordinateMapperTests {
    @Test(arguments: [
        (Float(0), Float(0), 0, 0), (1, 1, 99, 49), (0.5, 0.5, 50, 25), (Float(1).nextDown, 0, 99, 0),
        (0.0099, 0.03, 0, 1), (-0.0, 0.999, 0, 49),
    ])
    func places(x: Float, y: Float, pixelX: Int, pixelY: Int) throws {
        let point = try #require(NormalizedPoint(x: x, y: y))
        var mapper = CoordinateMapper(size: PixelSize(width: 100, height: 50))
        #expect(mapper.pixel(at: point) == (pixelX, pixelY))
        mapper.flipsY = true
        #expect(mapper.pixel(at: point) == (pixelX, 49 - pixelY))
    }

    @Test(arguments: [PixelSize(width: 0, height: 0), PixelSize(width: -5, height: 1), PixelSize(width: 1, height: 1)])
    func noSizeIsTheOrigin(size: PixelSize) throws {
        for flipsY in [false, true] {
            let mapper = CoordinateMapper(size: size, flipsY: flipsY)
            for point in [NormalizedPoint(x: 0, y: 0), .center, NormalizedPoint(x: 1, y: 1)] {
                #expect(mapper.pixel(at: try #require(point)) == (0, 0))
            }
        }
    }

    /// A viewer may send the coordinates of a pixel's corner or of its middle: both map to the same pixel.
    @Test(arguments: [PixelSize(width: 1920, height: 1080), PixelSize(width: 16384, height: 16384)])
    func whereAPixelBeginsIsThatPixel(size: PixelSize) throws {
        let mapper = CoordinateMapper(size: size)
        for x in 0..<size.width {
            let y = x % size.height
            let point = try #require(
                NormalizedPoint(
                    x: Float(Double(x) / Double(size.width)), y: Float(Double(y) / Double(size.height))))
            #expect(mapper.pixel(at: point) == (x, y))
        }
    }

    /// Pixels on a large screen's edges, and samples between, map to a point and back to themselves.
    @Test(arguments: [false, true])
    func pixelsSurviveTheWayBack(flipsY: Bool) throws {
        let mapper = CoordinateMapper(size: PixelSize(width: 7680, height: 4320), flipsY: flipsY)
        for x in 0..<7680 {
            let y = x % 4320
            let point = try #require(mapper.point(atX: x, y: y))
            #expect(mapper.pixel(at: point) == (x, y))
        }
        for outside in [(-1, 0), (7680, 0), (0, -1), (0, 4320)] {
            #expect(mapper.point(atX: outside.0, y: outside.1) == nil)
        }
    }

    private final class Recorder: InputInjecting {
        var log: [String] = []
        func follow(_ monitor: ScreenMonitor) { log.append("follow \(monitor.id)") }
        func movePointer(toX x: Int, y: Int) { log.append("to \(x) \(y)") }
        func movePointer(byX dx: Int, y dy: Int) { log.append("by \(dx) \(dy)") }
        func button(_ button: PointerButton, isDown: Bool) { log.append("button \(button) \(isDown)") }
        func scroll(dx: Int, dy: Int) { log.append("scroll \(dx) \(dy)") }
        func key(usage: UInt16, isDown: Bool) { log.append("key \(usage) \(isDown)") }
        func press(_ character: Unicode.Scalar, usage: UInt16) { log.append("press \(character) \(usage)") }
        func type(_ text: String) { log.append("type \(text)") }
        func setLocks(_ locks: LockState) { log.append("locks \(locks.caps == true) \(locks.num == nil)") }
        func stopRepeating() { log.append("stop") }
        func flush() { log.append("flush") }
    }

    @Test func eachInputIsAppliedAsItIs() {
        let recorder = Recorder()
        let inputs: [InjectedInput] = [
            .movePointer(x: 1, y: 2), .movePointerBy(dx: -3, dy: 4), .button(.back, isDown: true),
            .scroll(dx: 5, dy: -6), .key(usage: 7, isDown: false), .text("é"),
            .character("ö", usage: 9), .locks(LockState(caps: true)), .stopRepeating,
            .touch(.down, x: 1, y: 2, pressure: 0.5), .touch(.move, x: 3, y: 4, pressure: 1),
            .touch(.up, x: 5, y: 6, pressure: 0), .touch(.cancelled, x: 7, y: 8, pressure: 0),
            .monitor(
                .init(id: "left", name: "left", rect: PixelRect(x: 0, y: 0, width: 1, height: 1), isPrimary: true)),
        ]
        for input in inputs { input.apply(to: recorder) }
        #expect(
            recorder.log == [
                "to 1 2", "by -3 4", "button back true", "scroll 5 -6", "key 7 false", "type é",
                "press ö 9", "locks true true", "stop",
                "to 1 2", "button left true", "to 3 4", "to 5 6", "button left false", "button left false",
                "follow left",
            ])
    }
}
