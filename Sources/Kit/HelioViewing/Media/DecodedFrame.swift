internal import HelioCore

/// A decoded picture on its way to the window, with the frame that it came from and the time of its decoding.
struct DecodedFrame<Picture: DecodedImaging>: Sendable {
    var picture: Picture
    var frame: ReceivedFrame
    var decoded: Instant
    /// The size of the frame as it was coded.
    var byteCount: Int
}
