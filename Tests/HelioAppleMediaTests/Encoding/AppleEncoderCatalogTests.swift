import HelioAppleMedia
import HelioCore
import Testing

@Suite("Apple's encoders")
struct AppleEncoderCatalogTests {
    private let catalog = AppleEncoderCatalog([
        ListedEncoder(codec: .h264, isHardware: false), ListedEncoder(codec: .h264, isHardware: true),
    ])

    @Test("are told with what they can do")
    func descriptions() {
        #expect(catalog.descriptions.map(\.name) == ["h264_videotoolbox", "hevc_videotoolbox"])
        #expect(catalog.descriptions.map(\.isUsable) == [true, false])
        #expect(catalog.descriptions.map(\.isHardware) == [true, false])
        #expect(catalog.codecs(preferring: .h264) == [.h264])
        #expect(catalog.codecs(preferring: .h265) == [.h265, .h264])
    }

    @Test(
        "are hardware if the list says so, and on a phone also if it says nothing",
        arguments: [
            (true, false, true), (false, false, false), (nil, false, false), (true, true, true), (false, true, false),
            (nil, true, true),
        ] as [(Bool?, Bool, Bool)])
    func hardware(told: Bool?, isPhone: Bool, isHardware: Bool) {
        #expect(ListedEncoder(codec: .h265, told: told, isPhone: isPhone).isHardware == isHardware)
    }

    @Test("are chosen by name, and a name that is none or of another codec is an error")
    func choice() throws {
        #expect(try catalog.coder(.automatic, for: .h264) == .best)
        #expect(try catalog.coder(.software, for: .h264) == .software)
        #expect(try catalog.coder(.named("h264_videotoolbox"), for: .h264) == .hardware)
        #expect(throws: HelioError.self) { try catalog.coder(.named("x264"), for: .h264) }
        #expect(throws: HelioError.self) { try catalog.coder(.named("hevc_videotoolbox"), for: .h264) }
    }
}
