internal import CPulse
internal import HelioCore

/// The format of all streams: 32-bit floats at 48 kHz in stereo. The server converts it to and from the devices'
/// formats.
enum PulseStreamFormat {
    static let frameBytes = 8

    static func specification() -> pa_sample_spec {
        pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(SoundFormat.standard.sampleRate), channels: 2)
    }

    static func bytes(_ duration: Duration) -> UInt32 {
        UInt32(SoundFormat.standard.frames(in: duration)) * UInt32(frameBytes)
    }

    /// Makes a stream on a connection; `nil` if the connection is broken.
    static func makeStream(_ context: OpaquePointer, _ name: String) -> OpaquePointer? {
        var format = specification()
        return pa_stream_new(context, name, &format, nil)
    }
}
