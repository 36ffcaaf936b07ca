import HelioBitstream
import HelioCore
import HelioLinuxSource
import HelioMedia
import HelioSession
import Testing

@testable import Heliograph

/// A host's media thread with the real encoder, on virtual time: from viewers' preferences (`quality` of a page) to the
/// encoded pictures.
@Suite("What viewers prefer of a picture that the path can't carry")
struct PreferenceTests {
    /// About a third of the bitrate that the film needs.
    private static let rate = Bitrate.kilobits(4500)
    private static let time = Duration.seconds(10)
    /// The measured seconds at the end, when size and frame rate have settled.
    private static let lastSeconds = 4

    /// The encoder's output in the last seconds of a film.
    private struct Coded {
        var size: PixelSize
        var framesPerSecond: Int
        var bitsPerSecond: Int
    }

    /// The encoded pictures of a film, on its virtual time.
    private final class Film: PictureOutlet {
        private let screen: FilmScreen
        private(set) var slices: [EncodedSlice] = []

        init(_ screen: FilmScreen) { self.screen = screen }

        var now: Instant { screen.now }

        func makeEncoder(_ format: VideoFormat, isFallback: Bool) throws(HelioError) -> X264Encoder {
            try X264Encoder(format)
        }

        func submit(_ slice: EncodedSlice) -> Bool {
            slices.append(slice)
            return true
        }
    }

    private static func film(_ preferred: ContentKind?) throws -> Coded {
        let controls = SourceControls(bell: {})
        let screen = FilmScreen(lasting: time) { controls.stop() }
        let film = Film(screen)
        controls.setWatched(true)
        controls.setBitrate(rate)
        controls.prefer(preferred, of: .main)
        let pipeline = try SourcePipeline(
            capture: screen, format: VideoFormat(codec: .h264, size: FilmScreen.size, bitrate: .megabits(20)),
            followsPath: true, controls: controls, outlet: film)
        try pipeline.run()
        let last = film.slices.filter { $0.timing.captured >= screen.end - .seconds(lastSeconds) }
        return Coded(
            size: try #require(film.slices.compactMap { size(in: $0.annexB) }.last),
            framesPerSecond: last.count(where: \.isLast) / lastSeconds,
            bitsPerSecond: last.reduce(0) { $0 + $1.annexB.count * 8 } / lastSeconds)
    }

    /// The size in a sequence parameter set, if there is one.
    private static func size(in annexB: [UInt8]) -> PixelSize? {
        let bytes = annexB.span.bytes
        for unit in AnnexB.nalUnits(in: bytes) {
            if let found = H264SequenceParameters.parse(nal: bytes.extracting(unit)) { return found.size }
        }
        return nil
    }

    @Test("sharpness keeps the size and drops frames, motion the other way round; either takes what there is")
    func film() throws {
        let (sharp, smooth, any) = (try Self.film(.text), try Self.film(.motion), try Self.film(nil))
        #expect(sharp.size == FilmScreen.size && sharp.framesPerSecond <= 15, "\(sharp)")
        #expect(smooth.size.area * 3 < FilmScreen.size.area * 2 && smooth.framesPerSecond >= 20, "\(smooth)")
        // Without a preference, the choice is that for a film.
        #expect(any.size == smooth.size, "\(any)")
        for coded in [sharp, smooth, any] {
            let share = Double(coded.bitsPerSecond) / Double(Self.rate.bitsPerSecond)
            #expect((0.7...1.1).contains(share), "\(coded)")
        }
    }
}
