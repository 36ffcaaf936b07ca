#if canImport(HelioLinuxSink)
package import HelioAppleMedia
package import HelioCore

/// An Apple viewer: the real decoder over FFmpeg-based sessions, and a window that keeps its pictures.
package struct FakeAppleSink: SinkPlatform {
    package let sessions = FakeSessions()
    package let kept = KeptPictures<DecompressedPicture<FakePixels>>()

    package init() {}

    package func makeDecoder(
        _ codec: VideoCodec, choice: CodecChoice, mayReorder: Bool, mostSamples: Int
    ) throws(HelioError) -> SessionDecoder<FakeSessions> {
        try check(choice)
        // A slow machine's software decoding must not count as a failure.
        return SessionDecoder(
            codec, maker: sessions, mayReorder: mayReorder, mostSamples: mostSamples, patience: .seconds(20))
    }

    package func check(_ choice: CodecChoice) throws(HelioError) { try DecoderChoice.check(choice) }

    package var takesFullChroma: Bool { DecoderChoice.takesFullChroma }

    package func hardwareCodecs(of choice: CodecChoice) -> Set<VideoCodec> {
        DecoderChoice.hardwareCodecs(of: choice, among: Set(VideoCodec.allCases))
    }

    package func openWindow(
        title: String, options: WindowOptions
    ) -> KeepingWindow<DecompressedPicture<FakePixels>> {
        KeepingWindow(kept)
    }
}
#endif
