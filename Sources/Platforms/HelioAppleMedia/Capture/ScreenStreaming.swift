package import HelioCore

/// A capture stream of the system: a shim over ScreenCaptureKit or ReplayKit.
///
/// Calls return at once. `receive` gets their outcome and the events, on any thread, perhaps even after `stop`.
package protocol ScreenStreaming: AnyObject {
    associatedtype Buffer: Sendable

    /// Starts to capture. Each event is reported with the generation in `settings`, so that events of earlier starts
    /// can be recognised.
    func start(_ settings: StreamSettings, receive: @escaping @Sendable (StreamEvent<Buffer>, Int) -> Void)
    /// Changes the size, frame rate or format of the running stream.
    func update(_ settings: StreamSettings)
    func stop()
    /// Returns the present displays; empty if there are none, or they can't be listed.
    func displays() -> [DisplayInfo]
    /// Prevents the display from sleeping while `isWatched` is true. May be called again with the same value.
    func keepAwake(_ isWatched: Bool)
}

extension ScreenStreaming {
    /// The implementation for a stream whose device stays awake by itself: does nothing.
    package func keepAwake(_: Bool) {}
}

/// An event of a capture stream, reported on any thread.
package enum StreamEvent<Buffer: Sendable>: Sendable {
    case frame(StreamFrame<Buffer>)
    case stopped(StreamStop)
    /// Displays were added, removed or changed.
    case displaysChanged
}

/// A frame that a capture stream delivers in one callback.
///
/// `Buffer` is the platform's own: a wrapped `CVPixelBuffer` on Apple's systems.
package struct StreamFrame<Buffer: Sendable>: Sendable {
    /// A frame's status, numbered as ScreenCaptureKit's `SCFrameStatus`.
    package enum Status: Int, Sendable {
        /// The frame has a new picture.
        case complete = 0
        /// The screen has not changed, and the frame has no picture.
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
    /// The parts that changed, in pixels of the buffer; `nil` if they are not known.
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

/// The reason why a capture stream stopped, or did not start.
package enum StreamStop: Sendable, Hashable {
    /// The user stopped it, by the system's own control.
    case byPerson
    /// The system stopped it, for example for sleep or because memory is low.
    case bySystem
    /// The permission is missing or was revoked.
    case refused
    /// The user declined this time, or recording is not allowed on this device.
    case declined
    /// The captured display or window no longer exists.
    case sourceGone
    /// The stream keeps delivering frames whose size is not the requested one.
    case ignoresSettings
    /// Another failure, with its error code.
    case failed(Int)

    /// - Parameter code: an error code of `SCStreamErrorDomain` (ScreenCaptureKit's SCError.h).
    package init(screenCaptureKit code: Int) {
        self =
            switch code {
            case -3801, -3803: .refused
            case -3813, -3814, -3815: .sourceGone
            case -3817: .byPerson
            case -3804, -3805, -3821: .bySystem
            default: .failed(code)
            }
    }

    /// - Parameter code: an error code of `RPRecordingErrorDomain` (ReplayKit's RPError.h).
    package init(replayKit code: Int) {
        self =
            switch code {
            case -5801, -5802, -5810: .declined
            // Interruption, resizing, sleep, a phone call, or a car's display.
            case -5806, -5807, -5809, -5811, -5813: .bySystem
            default: .failed(code)
            }
    }

    /// The reason, human-readable, as the end of a sentence.
    package var text: String {
        switch self {
        case .byPerson: "it was stopped by the system's own control"
        case .bySystem: "the system stops it"
        case .refused, .declined: "it is not allowed"
        case .sourceGone: "there is no display to capture"
        case .ignoresSettings: "the pictures are of another size than asked for"
        case .failed(let code): "error \(code)"
        }
    }
}

/// The reason why a captured frame was dropped.
package enum FrameDrop: String, CaseIterable, Sendable {
    /// A newer frame arrived before this one was taken; the damage is kept.
    case replaced
    /// The frame arrived after its stream was stopped.
    case afterStop
    /// The frame does not have the requested size; the stream may not have applied it yet.
    case otherSize
    /// The frame's status says that it has a picture, but it has none.
    case withoutPicture
}
