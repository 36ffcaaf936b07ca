#if canImport(HelioLinuxSink)
package import HelioCore
package import HelioLinuxSink

/// The sink of Linux with a window that keeps its pictures.
package struct KeepingLinuxSink: SinkPlatform {
    package let kept = KeptPictures<DecodedPicture>()

    package init() {}

    package func makeDecoder(
        _ codec: VideoCodec, choice: CodecChoice, mayReorder: Bool, mostSamples: Int
    ) throws(HelioError) -> FFmpegDecoder {
        try LinuxSink().makeDecoder(codec, choice: choice, mayReorder: mayReorder, mostSamples: mostSamples)
    }

    package func check(_ choice: CodecChoice) throws(HelioError) { try LinuxSink().check(choice) }
    /// Is said to decode all by hardware, so that sources send it H.265.
    package func hardwareCodecs(of choice: CodecChoice) -> Set<VideoCodec> { Set(VideoCodec.allCases) }
    package func openWindow(title: String, options: WindowOptions) -> KeepingWindow<DecodedPicture> {
        KeepingWindow(kept)
    }
}
#endif
