/// A platform's sink side: the types that implement the seams, with their factories.
///
/// The library is generic over this protocol, so that a decoded picture keeps the platform's own type until it is
/// shown.
package protocol SinkPlatform: Sendable {
    associatedtype Decoder: VideoDecoding
    associatedtype Window: FramePresenting where Window.Picture == Decoder.Picture

    /// Makes the decoder of a stream.
    ///
    /// - Parameters:
    ///   - mayReorder: true if frames may be sent in an order other than that of presentation.
    ///   - mostSamples: the maximum size of a picture, in luma samples.
    ///
    /// Throws `unsupported` if the chosen decoder is not available.
    func makeDecoder(
        _ codec: VideoCodec, choice: CodecChoice, mayReorder: Bool, mostSamples: Int
    ) throws(HelioError) -> Decoder
    /// Checks a choice. Throws `invalidArgument` if the decoder's name is unknown, and `unsupported` if the decoder is
    /// not available on this machine.
    func check(_ choice: CodecChoice) throws(HelioError)
    /// The codecs that are decoded in hardware with this choice; the viewer reports them to the source.
    func hardwareCodecs(of choice: CodecChoice) -> Set<VideoCodec>

    /// True if decoders and windows take pictures with full-resolution chroma (4:4:4).
    var takesFullChroma: Bool { get }
    /// True if decoders accept access units in parts (`VideoDecoding.begin`).
    var decodesParts: Bool { get }

    /// Opens a window. Throws `displayUnavailable` if there is no usable display.
    func openWindow(title: String, options: WindowOptions) throws(HelioError) -> Window

    /// The platform's sound; `nil` if it has none.
    var sound: (any SoundPlatform)? { get }

    /// Opens the clipboard of the user's own display; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - marked: true if text that is only selected counts as copied too, on systems that distinguish the two.
    ///   - handler: receives the events, on the clipboard's thread.
    ///
    /// Throws `unsupported` if the display's clipboard can't be shared.
    func openClipboard(
        marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)?
}

extension SinkPlatform {
    package var sound: (any SoundPlatform)? { nil }
    package func openClipboard(
        marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)? { nil }
    package var takesFullChroma: Bool { true }
    package var decodesParts: Bool { false }
}
