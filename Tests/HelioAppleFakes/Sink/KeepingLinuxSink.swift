#if canImport(HelioLinuxSink)
package import HelioCore
package import HelioLinuxSink

/// The Linux sink with a window that keeps its pictures.
package struct KeepingLinuxSink: SinkPlatform {
    package let kept = KeptPictures<DecodedPicture>()

    package init() {}

    package func makeDecoder(
        _ codec: VideoCodec, choice: CodecChoice, mayReorder: Bool, mostSamples: Int
    ) throws(HelioError) -> FFmpegDecoder {
        try LinuxSink().makeDecoder(codec, choice: choice, mayReorder: mayReorder, mostSamples: mostSamples)
    }

    package func check(_ choice: CodecChoice) throws(HelioError) { try LinuxSink().check(choice) }
    /// Claims hardware decoding of every codec, so that sources send H.265.
    package func hardwareCodecs(of choice: CodecChoice) -> Set<VideoCodec> { Set(VideoCodec.allCases) }
    package func openWindow(title: String, options: WindowOptions) -> KeepingWindow<DecodedPicture> {
        KeepingWindow(kept)
    }
}
#endif
