/// A platform's source side: the types that fill the seams, and how to make each of them.
///
/// The library is generic over it, so that a picture stays the platform's own from capture to encoder and no call on
/// its way goes through an interface.
package protocol SourcePlatform: Sendable {
    associatedtype Screen: ScreenCapturing
    /// A screen that shows a test picture, and needs no display.
    associatedtype TestScreen: ScreenCapturing where TestScreen.Picture == Screen.Picture
    associatedtype Cursor: CursorSource
    associatedtype Encoder: VideoEncoding where Encoder.Picture == Screen.Picture
    associatedtype Injector: InputInjecting

    /// Opens a display's monitor; `nil` means the display and monitor that the platform takes for the person's own.
    ///
    /// - Parameter framesPerSecond: how often to poll where nothing reports changes.
    ///
    /// Throws `captureFailed`, or `invalidArgument` for a monitor that is not there.
    func openScreen(display: String?, monitor: String?, framesPerSecond: Int) throws(HelioError) -> Screen
    /// Opens a test screen. Throws `invalidArgument` for a size that has no room for the picture's number.
    func openTestScreen(size: PixelSize, framesPerSecond: Int) throws(HelioError) -> TestScreen
    /// The pointer on a screen.
    func openCursor(on screen: Screen) throws(HelioError) -> Cursor
    /// Opens an injector of input. Throws `unsupported` if the display takes no input: it is then shared to be watched.
    func openInjector(display: String?) throws(HelioError) -> Injector
    /// The monitors of a display, in the platform's order.
    func monitors(display: String?) throws(HelioError) -> [ScreenMonitor]

    /// What people should know before they share a display, without its full stop; empty as a rule.
    func warnings(display: String?) throws(HelioError) -> [String]

    /// Makes the encoder for a format; the format's codec decides.
    ///
    /// Throws `invalidArgument` if the named encoder codes another codec, and `encoderFailed` or `unsupported`.
    func makeEncoder(_ format: VideoFormat, choice: CodecChoice) throws(HelioError) -> Encoder
    /// Every known encoder, the preferred ones first.
    func encoders() -> [EncoderDescription]
    /// The codec of the encoder of this name. Throws `invalidArgument`, naming the choices, if there is none.
    func codec(ofEncoder name: String) throws(HelioError) -> VideoCodec
    /// The codecs that can be coded here, `first` first.
    func codecs(preferring first: VideoCodec) -> [VideoCodec]
    /// Returns true if `CodecChoice.automatic` codes it by hardware.
    func codesByHardware(_ codec: VideoCodec) -> Bool

    /// What it does for sound; `nil`: nothing.
    var sound: (any SoundPlatform)? { get }

    /// Opens the clipboard of a display; `nil` where there is none.
    ///
    /// - Parameters:
    ///   - marked: whether what is only marked counts as copied, too, where the system tells the two apart.
    ///   - handler: takes the events, on the clipboard's thread.
    ///
    /// Throws `unsupported` for a display whose clipboard can't be shared.
    func openClipboard(
        display: String?, marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)?

    /// A QR code for a terminal; `nil` where the text is too long for one.
    func terminalQRCode(_ text: String) -> String?
}

extension SourcePlatform {
    package func warnings(display: String?) throws(HelioError) -> [String] { [] }
    package var sound: (any SoundPlatform)? { nil }

    package func openClipboard(
        display: String?, marked: Bool, handler: @escaping @Sendable (ClipboardEvent) -> Void
    ) throws(HelioError) -> (any ClipboardAccess)? { nil }
}
