import Synchronization

/// Pixels that a test paints one by one: the pattern of an output of `FakeCompositor`.
package final class PaintedPixels: Sendable {
    private struct Place: Hashable { var x, y: Int }

    private let pixels = Mutex<[Place: UInt32]>([:])

    package init() {}

    package func set(_ colour: UInt32, at place: (x: Int, y: Int)) {
        pixels.withLock { $0[Place(x: place.x, y: place.y)] = colour }
    }

    /// The pixel at each column and row; black where none was painted.
    package var pattern: @Sendable (Int, Int) -> UInt32 {
        { x, y in self.pixels.withLock { $0[Place(x: x, y: y)] ?? 0 } }
    }
}
