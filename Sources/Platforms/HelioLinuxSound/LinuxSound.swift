package import HelioCore
internal import HelioSoundCodecs

/// Sound on Linux: devices through PulseAudio's protocol, which PipeWire supports too; Opus by libopus, AAC by FFmpeg.
package struct LinuxSound: SoundPlatform {
    private let server: String?

    /// - Parameter server: the sound server's address in PulseAudio's form, such as `unix:/run/user/1000/pulse/native`;
    ///   `nil` for the address in the environment.
    package init(server: String? = nil) { self.server = server }

    package func captureDevices(of origin: SoundOrigin) throws(HelioError) -> [SoundDevice] {
        try devices(origin == .system ? .sink : .source)
    }

    package func openCapture(_ origin: SoundOrigin, device: String?) throws(HelioError) -> any SoundCapturing {
        try PulseCapture(origin, device: device, server: server)
    }

    package func outputDevices() throws(HelioError) -> [SoundDevice] { try devices(.sink) }

    package func openOutput(
        device: String?, render: @escaping SoundRenderer
    ) throws(HelioError) -> any SoundPlaying {
        try PulseOutput(device: device, server: server, render: render)
    }

    package func openVirtualMicrophone(
        name: String, render: @escaping SoundRenderer
    ) throws(HelioError) -> any SoundPlaying {
        try PulseOutput(microphone: name, server: server, render: render)
    }

    package func makeEncoder(_ encode: SoundEncode) throws(HelioError) -> any SoundEncoding {
        switch encode.codec {
        case .pcm: try PCMEncoder(.standard, packetDuration: encode.packetDuration)
        case .opus:
            try OpusEncoder(
                .standard, SoundEncoderSettings(bitrate: encode.bitrate, packetDuration: encode.packetDuration))
        case .aac: try AACEncoder(.standard, bitrate: encode.bitrate)
        }
    }

    package func makeDecoder(
        _ codec: SoundCodec, format: SoundFormat, configuration: [UInt8]
    ) throws(HelioError) -> any SoundDecoding {
        switch codec {
        case .pcm: try PCMDecoder(format)
        case .opus: try OpusDecoder(format)
        case .aac: try AACDecoder(format, configuration: configuration)
        }
    }

    /// Lists sinks or sources, without monitors, which are not microphones, and without the devices that a Heliograph
    /// process has made to play a viewer's sound.
    private func devices(_ kind: PulseDevice.Kind) throws(HelioError) -> [SoundDevice] {
        let client = try PulseClient(server: server)
        defer { client.close() }
        try client.open()
        let reply: PulseReply? = client.locked {
            var reply: PulseReply?
            client.devices(kind) {
                reply = $0
                client.signal()
            }
            _ = client.wait(PulseClient.patience) { reply != nil || !client.isConnected }
            return reply
        }
        guard let reply else { throw HelioError(.unsupported, "The sound server does not answer.") }
        let standard = kind == .sink ? reply.defaultSink : reply.defaultSource
        return reply.devices.filter { !$0.isMonitor && !$0.isOurs }
            .map { SoundDevice(id: $0.name, name: $0.description, isDefault: $0.name == standard) }
    }
}
