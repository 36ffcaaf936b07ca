/// A platform's source side: the types that implement the seams, with their factories.
///
/// The library is generic over this protocol, so that a picture keeps the platform's own type from capture to encoder,
/// and no call between the two goes through an existential.
package protocol SourcePlatform: Sendable {
    associatedtype Screen: ScreenCapturing
    /// A screen that shows a test picture, and needs no display.
    associatedtype TestScreen: ScreenCapturing where TestScreen.Picture == Screen.Picture
    associatedtype Cursor: CursorSource
    associatedtype Encoder: VideoEncoding where Encoder.Picture == Screen.Picture
    associatedtype Injector: InputInjecting

    /// Returns this platform with its way to capture chosen, for all later calls.
    ///
    /// - Parameter way: a name of those in `captures`; `nil` for the way that the platform prefers.
    ///
    /// Throws `invalidArgument`, with the possible names, if there is no such way.
    func capturing(by way: String?) throws(HelioError) -> Self
    /// Opens a monitor of a display; `nil` selects the user's default display or monitor.
    ///
    /// - Parameter framesPerSecond: the rate at which the screen is polled if the system reports no changes.
    ///
    /// Throws `invalidArgument` if there is no such monitor, `captureFailed` if the screen can't be captured.
    func openScreen(display: String?, monitor: String?, framesPerSecond: Int) throws(HelioError) -> Screen
    /// Opens a test screen. Throws `invalidArgument` if the size is too small for the number that is painted into each
    /// test picture.
    func openTestScreen(size: PixelSize, framesPerSecond: Int) throws(HelioError) -> TestScreen
    /// Opens the source of the pointer's shape and of its position on a screen.
    func openCursor(on screen: Screen) throws(HelioError) -> Cursor
    /// Opens an injector of input. Throws `unsupported` if the display accepts no input and can only be watched.
    func openInjector(display: String?) throws(HelioError) -> Injector
    /// The monitors of a display, in the platform's order.
    func monitors(display: String?) throws(HelioError) -> [ScreenMonitor]

    /// Warnings to show before a display is shared, each without a full stop at its end; usually empty.
    func warnings(display: String?) throws(HelioError) -> [String]
    /// All known ways to capture a screen, in order of preference; empty if the platform has only one.
    ///
    /// - Parameter display: the display that the user names; `nil` for the default display.
    func captures(display: String?) -> [CaptureDescription]
    /// The session's offers for capturing its screen, as lines for a report of a fault, without secrets or titles;
    /// empty if the platform knows nothing of the kind.
    func captureDetails(display: String?) -> [String]

    /// The colour description of live pictures (primaries, transfer function, matrix and range); captured pixels are
    /// converted to it.
    var color: ColorDescription { get }
    /// Makes the encoder for a format's codec.
    ///
    /// Throws `invalidArgument` if the named encoder encodes another codec, `unsupported` if there is no suitable
    /// encoder, `encoderFailed` if the encoder can't be started.
    func makeEncoder(_ format: VideoFormat, choice: CodecChoice) throws(HelioError) -> Encoder
    /// All known encoders, in order of preference.
    func encoders() -> [EncoderDescription]
    /// The codec of the encoder with this name. Throws `invalidArgument`, with the possible names, if there is none.
    func codec(ofEncoder name: String) throws(HelioError) -> VideoCodec
    /// The codecs that this machine can encode, with `first` in front.
    func codecs(preferring first: VideoCodec) -> [VideoCodec]
    /// Returns true if `CodecChoice.automatic` encodes the codec in hardware.
    func codesByHardware(_ codec: VideoCodec) -> Bool

    /// The platform's sound; `nil` if it has none.
    var sound: (any SoundPlatform)? { get }

    /// Opens the clipboard of a display; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - marked: true if text that is only selected counts as copied too, on systems that distinguish the two.
    ///   - handler: receives the events, on the clipboard's thread.
    ///
    /// Throws `unsupported` if the display's clipboard can't be shared.
    func openClipboard(
        display: String?, marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)?

    /// A QR code for a terminal; `nil` if the text is too long for one.
    func terminalQRCode(_ text: String) -> String?
}

extension SourcePlatform {
    package func capturing(by way: String?) throws(HelioError) -> Self {
        if let way {
            throw HelioError(.invalidArgument, "There is no way '\(way)' to capture: this system has only one.")
        }
        return self
    }

    package func warnings(display: String?) throws(HelioError) -> [String] { [] }
    package func captures(display: String?) -> [CaptureDescription] { [] }
    package func captureDetails(display: String?) -> [String] { [] }
    package var sound: (any SoundPlatform)? { nil }

    package func openClipboard(
        display: String?, marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)? { nil }
}
