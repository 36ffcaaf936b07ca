package import HelioCore
internal import HelioSoundCodecs

/// Sound on Apple's systems: devices through a shim, Opus by libopus, AAC by the system's encoder and decoder.
///
/// Opus uses libopus instead of `AudioConverter`, which has no in-band FEC, no packet loss concealment and no DTX;
/// also, the same library is then tested on all platforms. AAC needs none of these, and the system has the licence and
/// the hardware for it.
package struct DeviceSound: SoundPlatform {
    /// Factories of the system's AAC encoders and decoders.
    package struct Coders: Sendable {
        var encoder: @Sendable (SoundFormat) throws(HelioError) -> any AccessUnitCoding
        var decoder: @Sendable (SoundFormat, _ configuration: [UInt8]) throws(HelioError) -> any AccessUnitDecoding

        package init(
            encoder: @escaping @Sendable (SoundFormat) throws(HelioError) -> any AccessUnitCoding,
            decoder:
                @escaping @Sendable (SoundFormat, _ configuration: [UInt8]) throws(HelioError) ->
                any AccessUnitDecoding
        ) {
            self.encoder = encoder
            self.decoder = decoder
        }
    }

    /// The samples that screen capture or a broadcast delivers; each origin counts as one capture device.
    package let feeds: SampleFeeds
    private let hardware: any SoundHardware
    private let coders: Coders
    private let now: @Sendable () -> Instant
    private let makeRunner: @Sendable (_ label: String) -> any SerialRunner

    package init(
        _ hardware: any SoundHardware, feeds: SampleFeeds, coders: Coders, now: @escaping @Sendable () -> Instant,
        makeRunner: @escaping @Sendable (_ label: String) -> any SerialRunner = { DispatchRunner($0) }
    ) {
        self.hardware = hardware
        self.feeds = feeds
        self.coders = coders
        self.now = now
        self.makeRunner = makeRunner
    }

    /// Lists the capture devices. Screen capture or a broadcast counts as one device, with an empty ID.
    package func captureDevices(of origin: SoundOrigin) throws(HelioError) -> [SoundDevice] {
        if let name = feeds.name(of: origin) { return [SoundDevice(id: "", name: name, isDefault: true)] }
        return origin == .microphone ? try hardware.microphones() : []
    }

    /// Throws `refused` if the user has denied the microphone, or has not answered the prompt yet; the caller may try
    /// again later.
    package func openCapture(_ origin: SoundOrigin, device: String?) throws(HelioError) -> any SoundCapturing {
        let isFed = feeds.name(of: origin) != nil || origin == .system
        if !isFed { try checkMicrophone() }
        let runner = makeRunner("heliograph-capture")
        let (feeds, hardware) = (feeds, hardware)
        return try DeviceCapture(origin, of: hardware, on: runner) { intake throws(HelioError) in
            isFed
                ? try FedSource(feeds, origin, into: intake)
                : try hardware.makeMicrophone(device, on: runner, into: intake)
        }
    }

    private func checkMicrophone() throws(HelioError) {
        switch hardware.microphonePermission {
        case .granted: break
        case .denied:
            throw HelioError(
                .refused, "Heliograph may not use the microphone: allow it in the settings under Privacy, Microphone.")
        case .undetermined:
            hardware.askForMicrophone()
            throw HelioError(.refused, "Heliograph waits to be allowed the microphone.")
        }
    }

    package func outputDevices() throws(HelioError) -> [SoundDevice] { try hardware.outputs() }

    package func openOutput(
        device: String?, render: @escaping SoundRenderer
    ) throws(HelioError) -> any SoundPlaying {
        try DeviceOutput(
            device: device, of: hardware, on: makeRunner("heliograph-output"), now: now, render: render)
    }

    /// Throws `unsupported` in every case: macOS needs a driver for virtual microphones, and iOS has none.
    package func openVirtualMicrophone(
        name: String, render: @escaping SoundRenderer
    ) throws(HelioError) -> any SoundPlaying {
        throw HelioError(.unsupported, "This system lets no app be a microphone for others.")
    }

    package func makeEncoder(_ encode: SoundEncode) throws(HelioError) -> any SoundEncoding {
        switch encode.codec {
        case .pcm: try PCMEncoder(.standard, packetDuration: encode.packetDuration)
        case .opus:
            try OpusEncoder(
                .standard, SoundEncoderSettings(bitrate: encode.bitrate, packetDuration: encode.packetDuration))
        case .aac: UnitAACEncoder(.standard, bitrate: encode.bitrate, by: try coders.encoder(.standard))
        }
    }

    package func makeDecoder(
        _ codec: SoundCodec, format: SoundFormat, configuration: [UInt8]
    ) throws(HelioError) -> any SoundDecoding {
        switch codec {
        case .pcm: try PCMDecoder(format)
        case .opus: try OpusDecoder(format)
        case .aac: UnitAACDecoder(format, by: try coders.decoder(format, configuration))
        }
    }
}
