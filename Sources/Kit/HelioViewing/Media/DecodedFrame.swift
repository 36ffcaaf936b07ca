internal import HelioCore

/// A decoded picture on its way to the window, with its coded frame and the time of decoding.
struct DecodedFrame<Picture: DecodedImaging>: Sendable {
    var picture: Picture
    var frame: ReceivedFrame
    var decoded: Instant
    /// The size of the coded frame, in bytes.
    var byteCount: Int
}
