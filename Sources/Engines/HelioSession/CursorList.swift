package import HelioCore

/// The pointer shapes that a host has sent to a viewer, by number. When a shape returns, only its number is sent.
///
/// Host and viewer add the same shapes in the same order, and so evict the same shapes: the oldest, once there are more
/// than ``mostShapes`` or ``mostBytes``. Numbers count up from 0 and are never reused.
package struct CursorList: Sendable {
    package static let mostShapes = 256
    /// The limit of pixel data in bytes: 4 MiB, sixteen times the largest shape.
    package static let mostBytes = 4 << 20

    private var shapes: [UInt32: CursorShape] = [:]
    private var numbers: [CursorShape: UInt32] = [:]
    private var oldest: UInt32 = 0
    private var next: UInt32 = 0
    private var bytes = 0

    package init() {}

    package var count: Int { shapes.count }

    /// The number of a shape in the list; `nil` if it was never added, or was evicted.
    package func number(of shape: CursorShape) -> UInt32? { numbers[shape] }

    /// The shape with this number; `nil` if it was never added, or was evicted.
    package subscript(number: UInt32) -> CursorShape? { shapes[number] }

    /// Adds a shape; returns its number.
    @discardableResult
    package mutating func add(_ shape: CursorShape) -> UInt32 {
        let number = next
        next &+= 1
        shapes[number] = shape
        numbers[shape] = number
        bytes += shape.rgba.count
        while shapes.count > Self.mostShapes || bytes > Self.mostBytes, shapes.count > 1 {
            if let gone = shapes.removeValue(forKey: oldest) {
                bytes -= gone.rgba.count
                // If a shape was added twice, `numbers` has its later number, which is still valid.
                if numbers[gone] == oldest { numbers[gone] = nil }
            }
            oldest &+= 1
        }
        return number
    }
}
