internal import CFFmpeg

/// A device that decodes pictures into its own memory; each picture is then copied once to system memory.
protocol DecodingDevice: AnyObject, Sendable {
    var kind: FFmpegDecoderKind { get }

    /// Sets up a decoder, which must not be open yet, to decode with this device.
    func attach(to context: UnsafeMutablePointer<AVCodecContext>)

    /// Returns true if the picture is in the device's memory; false if FFmpeg decoded it in software.
    func holds(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool

    /// Copies a picture to system memory. Returns FFmpeg's status, which is negative for an error.
    func download(_ frame: UnsafeMutablePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>) -> Int32
}
