/// What a platform does for sound, at either end: the devices, and the codecs.
package protocol SoundPlatform: Sendable {
    /// The devices of an origin that can be captured; for `system` the outputs whose sound is taken.
    ///
    /// Throws `unsupported` where there is no sound server.
    func captureDevices(of origin: SoundOrigin) throws(HelioError) -> [SoundDevice]
    /// Captures an origin; `nil` follows the device that is the default.
    ///
    /// Throws `unsupported` where there is no sound server, `invalidArgument` for a device that is not there.
    func openCapture(_ origin: SoundOrigin, device: String?) throws(HelioError) -> any SoundCapturing

    /// The devices that sound can be played by. Throws `unsupported` where there is no sound server.
    func outputDevices() throws(HelioError) -> [SoundDevice]
    /// Plays what `render` gives by a device; `nil` is the default one. It survives a device that vanishes, and a server
    /// that comes back.
    ///
    /// Throws `unsupported` where there is no sound server, `invalidArgument` for a device that is not there.
    func openOutput(device: String?, render: @escaping SoundRenderer) throws(HelioError) -> any SoundPlaying
    /// Gives this machine a microphone of that name, which other programs hear `render` by, until it is stopped.
    func openVirtualMicrophone(name: String, render: @escaping SoundRenderer) throws(HelioError) -> any SoundPlaying

    /// Makes the encoder for an encode, of sound in `SoundFormat.standard`.
    func makeEncoder(_ encode: SoundEncode) throws(HelioError) -> any SoundEncoding
    /// Makes the decoder of a codec; it gives the format.
    ///
    /// - Parameter configuration: AAC's `AudioSpecificConfig`; of no other codec.
    func makeDecoder(
        _ codec: SoundCodec, format: SoundFormat, configuration: [UInt8]
    ) throws(HelioError) -> any SoundDecoding
}
