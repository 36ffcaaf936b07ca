internal import HelioCore

/// A decoded picture that is queued for the window, with its coded frame and the time of decoding.
struct DecodedFrame<Picture: DecodedImaging>: Sendable {
    var picture: Picture
    var frame: ReceivedFrame
    var decoded: Instant
    /// The size of the coded frame, in bytes.
    var byteCount: Int
}
