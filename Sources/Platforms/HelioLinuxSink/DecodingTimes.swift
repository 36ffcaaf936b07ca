internal import HelioCore

/// The times that software and a device take to decode a picture in which everything has moved, from the coded bytes to
/// samples in system memory.
struct DecodingTimes: Sendable, Hashable {
    /// The decoding time above which software has little time left between two pictures: half of the frame interval at
    /// 60 pictures per second.
    private static let ample = Duration.microseconds(8333)

    var software: Duration
    var device: Duration

    /// Returns true if the device has to decode pictures of this size.
    ///
    /// H.264 is decoded by software if that takes at most `ample`, even if the device is faster for such a picture:
    /// most pictures of a screen change little, and software decodes only the changes (`InPlaceDecoder`).
    func prefersDevice(for codec: VideoCodec) -> Bool {
        device < software && (codec == .h265 || software > Self.ample)
    }
}
