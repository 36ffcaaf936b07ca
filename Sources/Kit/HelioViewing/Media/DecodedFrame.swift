internal import HelioCore

/// A picture on its way to the window, with what is known of its way so far.
struct DecodedFrame<Picture: DecodedImaging>: Sendable {
    var picture: Picture
    var frame: ReceivedFrame
    var decoded: Instant
}
