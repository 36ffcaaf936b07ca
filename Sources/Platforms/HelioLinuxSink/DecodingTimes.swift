internal import HelioCore

/// The times that a picture which has moved everywhere takes from its bytes to system memory.
struct DecodingTimes: Sendable, Hashable {
    /// The time at which software has little room left at 60 pictures a second: half of a picture's time.
    private static let ample = Duration.microseconds(8333)

    var software: Duration
    var device: Duration

    /// Returns true if the device is to decode pictures of this size.
    ///
    /// H.264 stays with software that has room left, even if the device is faster for such a picture: most pictures of a
    /// screen change little, and software decodes only that (`InPlaceDecoder`).
    func prefersDevice(for codec: VideoCodec) -> Bool {
        device < software && (codec == .h265 || software > Self.ample)
    }
}
