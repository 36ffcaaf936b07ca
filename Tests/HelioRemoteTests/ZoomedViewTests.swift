import HelioCore
import HelioRemote
import Testing

/// Tests of the vectors in `Testing/Vectors/view.json`, which documents itself in `about`.
struct ZoomedViewTests {
    private struct Vectors: Decodable {
        var cases: [Case]
    }

    struct Case: Decodable, Sendable, CustomStringConvertible {
        var name: String
        var picture: [Int]
        var view: [Double]
        var steps: [Step]

        var description: String { name }
    }

    struct Step: Decodable, Sendable {
        var zoom: [Double]?
        var pan: [Double]?
        var reveal: [Double]?
        var reset: Bool?
        var view: [Double]?
        var frame: [Double]
        var moved: Bool?
    }

    private static let vectors: Vectors? = try? GoldenVectors.load("view.json")

    @Test func vectorsAreThere() throws {
        let vectors: Vectors = try GoldenVectors.load("view.json")
        #expect(vectors.cases.count >= 10)
    }

    @Test(arguments: vectors?.cases ?? [])
    func lies(_ scenario: Case) {
        var view = ZoomedView(
            picture: PixelSize(width: scenario.picture[0], height: scenario.picture[1]), width: scenario.view[0],
            height: scenario.view[1])
        for (index, step) in scenario.steps.enumerated() {
            var moved: Bool?
            if let zoom = step.zoom {
                view.zoom(to: zoom[0], x: zoom[1], y: zoom[2])
            } else if let pan = step.pan {
                moved = view.pan(dx: pan[0], dy: pan[1])
            } else if let reveal = step.reveal {
                moved = view.reveal(x: reveal[0], y: reveal[1], margin: reveal[2])
            } else if let size = step.view {
                view.resize(width: size[0], height: size[1])
            } else if step.reset == true {
                view.resetZoom()
            } else {
                Issue.record("step \(index + 1) does nothing")
            }
            #expect(moved == step.moved, "step \(index + 1)")
            let frame = view.frame
            for (value, expected) in zip([frame.x, frame.y, frame.width, frame.height], step.frame) {
                #expect(abs(value - expected) < 1e-6, "step \(index + 1): \(frame)")
            }
        }
    }

    /// Before the first picture, and with a view of zero size, no result is NaN.
    @Test func nothingIsNoNumber() {
        var view = ZoomedView(picture: PixelSize(width: 0, height: 0), width: 0, height: 0)
        view.zoom(to: 3, x: 10, y: 10)
        view.pan(dx: 5, dy: 5)
        view.reveal(x: 1, y: 1, margin: 20)
        let frame = view.frame
        for value in [frame.x, frame.y, frame.width, frame.height] { #expect(value.isFinite) }
        #expect(view.scale == 1)
        view.picture = PixelSize(width: 100, height: 100)
        #expect(view.scale.isFinite)
    }
}
