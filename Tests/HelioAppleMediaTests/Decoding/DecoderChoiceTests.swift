import HelioAppleMedia
import HelioCore
import Testing

@Suite("The choice of a decoder")
struct DecoderChoiceTests {
    @Test("every choice is taken but the name of another, which is told")
    func names() throws {
        for choice in [CodecChoice.automatic, .software, .named("videotoolbox")] { try DecoderChoice.check(choice) }
        let error = #expect(throws: HelioError.self) { try DecoderChoice.check(.named("h264_cuvid")) }
        #expect(error?.code == .invalidArgument && error?.message.contains("h264_cuvid") == true)
        #expect(error?.message.contains("videotoolbox") == true)
    }

    @Test("no host is told that 4:4:4 can be shown, which VideoToolbox does not decode as H.264")
    func chroma() {
        #expect(!DecoderChoice.takesFullChroma)
    }

    @Test("hardware is used unless software is asked for")
    func hardware() {
        let both: Set<VideoCodec> = [.h264, .h265]
        #expect(DecoderChoice.hardwareCodecs(of: .automatic, among: both) == both)
        #expect(DecoderChoice.hardwareCodecs(of: .named("videotoolbox"), among: [.h264]) == [.h264])
        #expect(DecoderChoice.hardwareCodecs(of: .software, among: both).isEmpty)
        #expect(!DecoderChoice.allowsHardware(.software) && DecoderChoice.allowsHardware(.automatic))
    }
}
