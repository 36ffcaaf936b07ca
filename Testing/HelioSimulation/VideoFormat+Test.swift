package import HelioCore

extension VideoFormat {
    /// The format that most tests use: H.264, 1920x1080, 20 Mbit/s.
    package static let test = VideoFormat(
        codec: .h264, size: PixelSize(width: 1920, height: 1080), bitrate: .megabits(20))
}
