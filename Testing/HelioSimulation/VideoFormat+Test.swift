package import HelioCore

extension VideoFormat {
    /// The format that most tests send.
    package static let test = VideoFormat(
        codec: .h264, size: PixelSize(width: 1920, height: 1080), bitrate: .megabits(20))
}
