/// A platform's sink side: the types that fill the seams, and how to make each of them.
///
/// The library is generic over it, so that a decoded picture stays the platform's own until it is shown.
package protocol SinkPlatform: Sendable {
    associatedtype Decoder: VideoDecoding
    associatedtype Window: FramePresenting where Window.Picture == Decoder.Picture

    /// Makes the decoder of a stream.
    ///
    /// - Parameters:
    ///   - mayReorder: whether frames may be sent in another order than they are shown.
    ///   - mostSamples: how large a picture may be, in luma samples.
    ///
    /// Throws `unsupported` if what was named can't be had.
    func makeDecoder(
        _ codec: VideoCodec, choice: CodecChoice, mayReorder: Bool, mostSamples: Int
    ) throws(HelioError) -> Decoder
    /// Checks a choice. Throws `invalidArgument` for a decoder's name that is none, and `unsupported` for one that
    /// can't be had here.
    func check(_ choice: CodecChoice) throws(HelioError)
    /// The codecs that hardware decodes with this choice: what a source is told.
    func hardwareCodecs(of choice: CodecChoice) -> Set<VideoCodec>

    /// True where decoders take access units in parts (`VideoDecoding.begin`).
    var decodesParts: Bool { get }

    /// Opens a window. Throws `displayUnavailable` if that is not possible.
    func openWindow(title: String, options: WindowOptions) throws(HelioError) -> Window

    /// What it does for sound; `nil`: nothing.
    var sound: (any SoundPlatform)? { get }

    /// Opens the clipboard of the person's own display; `nil` where there is none.
    ///
    /// - Parameters:
    ///   - marked: whether what is only marked counts as copied, too, where the system tells the two apart.
    ///   - handler: takes the events, on the clipboard's thread.
    ///
    /// Throws `unsupported` for a display whose clipboard can't be shared.
    func openClipboard(
        marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)?
}

extension SinkPlatform {
    package var sound: (any SoundPlatform)? { nil }
    package func openClipboard(
        marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)? { nil }
    package var decodesParts: Bool { false }
}
