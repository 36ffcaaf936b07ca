/// A platform's sound at either end: the devices and the codecs.
package protocol SoundPlatform: Sendable {
    /// The devices that can be captured for an origin of sound: microphones, or for `system`, the outputs whose sound
    /// is captured.
    ///
    /// Throws `unsupported` if there is no sound server.
    func captureDevices(of origin: SoundOrigin) throws(HelioError) -> [SoundDevice]
    /// Starts to capture sound from a device. If `device` is `nil`, the capture uses the default device of the origin,
    /// and follows its changes.
    ///
    /// Throws `unsupported` if there is no sound server, `invalidArgument` if the device does not exist.
    func openCapture(_ origin: SoundOrigin, device: String?) throws(HelioError) -> any SoundCapturing

    /// The devices that can play sound. Throws `unsupported` if there is no sound server.
    func outputDevices() throws(HelioError) -> [SoundDevice]
    /// Plays the samples of `render` on a device; `nil` for the default one. Playback survives a device that vanishes,
    /// and a server that restarts.
    ///
    /// Throws `unsupported` if there is no sound server, `invalidArgument` if the device does not exist.
    func openOutput(device: String?, render: @escaping SoundRenderer) throws(HelioError) -> any SoundPlaying
    /// Creates a virtual microphone of that name on this machine. Other programs record `render`'s samples with it
    /// until it is stopped.
    func openVirtualMicrophone(name: String, render: @escaping SoundRenderer) throws(HelioError) -> any SoundPlaying

    /// Makes an encoder with these settings, whose input is in `SoundFormat.standard`.
    func makeEncoder(_ encode: SoundEncode) throws(HelioError) -> any SoundEncoding
    /// Makes a decoder that outputs samples in `format`.
    ///
    /// - Parameter configuration: AAC's `AudioSpecificConfig`; empty for other codecs.
    func makeDecoder(
        _ codec: SoundCodec, format: SoundFormat, configuration: [UInt8]
    ) throws(HelioError) -> any SoundDecoding
}
