package import HelioCore

/// A frame that a capture stream delivers in one callback.
///
/// `Buffer` is the platform's own, a `CVPixelBuffer` in a box on Apple's systems.
package struct StreamFrame<Buffer: Sendable>: Sendable {
    /// A frame's status, numbered as ScreenCaptureKit's `SCFrameStatus`.
    package enum Status: Int, Sendable {
        /// There is a new picture.
        case complete = 0
        /// Nothing changed.
        case idle = 1
        /// The display has gone blank.
        case blank = 2
        /// Updates are suspended.
        case suspended = 3
        /// The first frame after the start.
        case started = 4
        /// The stream is about to stop.
        case stopped = 5
    }

    package var status: Status
    package var buffer: Buffer?
    /// The size of the buffer, in pixels.
    package var size: PixelSize
    /// The parts that changed, in pixels of the buffer; `nil`: not known.
    package var dirty: [FrameRect]?
    /// The time since the display showed the frame.
    package var age: Duration

    package init(
        status: Status = .complete, buffer: Buffer?, size: PixelSize, dirty: [FrameRect]? = nil, age: Duration = .zero
    ) {
        self.status = status
        self.buffer = buffer
        self.size = size
        self.dirty = dirty
        self.age = age
    }
}
