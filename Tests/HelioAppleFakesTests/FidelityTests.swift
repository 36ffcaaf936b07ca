#if canImport(HelioLinuxSink)
import HelioAppleFakes
import HelioAppleMedia
import HelioCore
import HelioTestLanes
import HelioViewing
import Synchronization
import Testing

/// Whole sessions on loopback through Apple's adapters, with real codecs (row 92).
@Suite("Picture fidelity through Apple's adapters", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct FidelityTests {
    static let sizes = [
        PixelSize(width: 854, height: 480), PixelSize(width: 1280, height: 720), PixelSize(width: 1920, height: 1080),
    ]
    /// The least peak signal-to-noise ratio of luma, in dB: measured at 47.7 or more, and at 15.5 when displaced by a
    /// pixel.
    static let leastLuma = 42.0
    /// The largest error of a patch's colour, in steps of 1/255: measured at up to 1.2, and at 20 or more when a viewer
    /// confuses the matrices or ranges.
    static let mostError = 3.0

    @Test(
        "known pictures come through at 480p, 720p and 1080p",
        arguments: Way.allCases.flatMap { way in Self.sizes.map { (way, $0) } }, MediaAttributes.Format.allCases)
    func known(_ place: (way: Way, size: PixelSize), codec: MediaAttributes.Format) async throws {
        try await Session.run(place.way, FakePanel(place.size), codec: codec) { session in
            var (luma, errors) = ([Double](), [Double]())
            for number in [1, 77, 1234, 4095, 40_000] {
                let sight = try await session.show(number)
                let color = place.way.color
                let picture = session.panel.picture
                #expect(sight.description.color == color)
                luma.append(session.panel.pictures.luma(of: sight.pixels, against: picture, color))
                errors.append(session.panel.pictures.worstPatch(of: picture, sight.rgb))
                var (otherMatrix, full) = (color, color)
                otherMatrix.matrix = color.matrix == 1 ? 6 : 1
                full.isFullRange = true
                // A viewer with a wrong matrix or range, or displaced by a pixel, has far larger errors.
                #expect(session.panel.pictures.worstPatch(of: picture, sight.rgb(takingFor: otherMatrix)) > 20)
                #expect(session.panel.pictures.worstPatch(of: picture, sight.rgb(takingFor: full)) > 15)
                #expect(
                    session.panel.pictures.luma(of: sight.pixels, against: picture, color, movedBy: 1) < 20)
            }
            luma.sort()
            #expect(luma[luma.count / 2] >= Self.leastLuma, "\(luma)")
            #expect(errors.allSatisfy { $0 <= Self.mostError }, "\(errors)")
            // The requested codec was used, in a single session.
            #expect(session.encoding.map { $0.made.map(\.codec) == [codec == .hevc ? .h265 : .h264] } ?? true)
            #expect(session.decoding?.state.withLock { $0.formats.count } ?? 1 == 1)
        }
    }

    @Test(
        "matrix and range are what the pictures are of, to the viewer's eye",
        arguments: Way.fromApple,
        [
            ColorDescription.bt601, ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true),
            ColorDescription(primaries: 6, transfer: 1, matrix: 6, isFullRange: true),
        ])
    func colors(way: Way, color: ColorDescription) async throws {
        try await Session.run(way, FakePanel(Self.sizes[0], color: color)) { session in
            let pictures = session.panel.pictures
            for number in [5, 60_000] {
                let sight = try await session.show(number)
                let picture = session.panel.picture
                #expect(sight.description.color == color)
                #expect(pictures.luma(of: sight.pixels, against: picture, color) >= Self.leastLuma)
                let error = pictures.worstPatch(of: picture, sight.rgb)
                #expect(error <= Self.mostError)
                var (otherMatrix, otherRange) = (color, color)
                otherMatrix.matrix = color.matrix == 1 ? 6 : 1
                otherRange.isFullRange.toggle()
                #expect(pictures.worstPatch(of: picture, sight.rgb(takingFor: otherMatrix)) > 20)
                #expect(pictures.worstPatch(of: picture, sight.rgb(takingFor: otherRange)) > 15)
            }
        }
    }

    @Test(
        "a device that is turned in the session gives upright pictures, whichever way it is held",
        arguments: Way.fromApple)
    func turns(way: Way) async throws {
        let panel = FakePanel(PixelSize(width: 480, height: 854))
        try await Session.run(way, panel) { session in
            for (index, turn) in [PictureRotation.none, .quarter, .half, .threeQuarters, .none].enumerated() {
                panel.turn(turn)
                let sight = try await session.show(100 + index)
                #expect(sight.pixels.size == turn.turned(PixelSize(width: 480, height: 854)))
                let luma = panel.pictures.luma(of: sight.pixels, against: panel.picture, .bt709)
                #expect(luma >= Self.leastLuma, "\(turn)")
                #expect(panel.pictures.worstPatch(of: panel.picture, sight.rgb) <= Self.mostError, "\(turn)")
                // Rotated by half a turn, the picture must not match.
                let reversed = FakePixels(sight.pixels)
                let half = try FakeTransfers().makeSession().get()
                #expect(half.turn(sight.pixels, by: .half, into: reversed) == .done)
                #expect(panel.pictures.luma(of: reversed, against: panel.picture, .bt709) < 15)
            }
            // Half a turn leaves the stream's size unchanged.
            let sizes = try #require(session.encoding).made.map(\.size)
            #expect(Set(sizes).count == 2 && sizes.count >= 3)
        }
    }

    @Test("a viewer with a smaller screen has the picture scaled as it is captured", arguments: Way.fromApple)
    func scaled(way: Way) async throws {
        let panel = FakePanel(Self.sizes[1])
        try await Session.run(way, panel, largest: Self.sizes[0]) { session in
            for number in [1, 500] {
                let sight = try await session.show(number)
                let size = Self.sizes[1].fitted(within: Self.sizes[0])
                try #require(size != Self.sizes[1] && sight.description.size == size)
                let picture = KnownPicture(size, number: number)
                #expect(panel.pictures.luma(of: sight.pixels, against: picture, .bt709) >= Self.leastLuma)
                #expect(panel.pictures.worstPatch(of: picture, sight.rgb) <= Self.mostError)
            }
        }
    }

    @Test("a display of another size makes other parameter sets in the running session", arguments: Way.allCases)
    func resize(way: Way) async throws {
        let panel = FakePanel(Self.sizes[1])
        try await Session.run(way, panel) { session in
            _ = try await session.show(1)
            for (index, size) in [Self.sizes[0], Self.sizes[2], Self.sizes[1]].enumerated() {
                panel.resize(size)
                let sight = try await session.show(2 + index)
                #expect(sight.description.size == size)
                let luma = panel.pictures.luma(of: sight.pixels, against: panel.picture, way.color)
                #expect(luma >= Self.leastLuma, "\(size)")
                #expect(panel.pictures.worstPatch(of: panel.picture, sight.rgb) <= Self.mostError, "\(size)")
            }
            if let decoding = session.decoding {
                let sizes = decoding.state.withLock { $0.formats.map(\.picture.size) }
                #expect(sizes == [Self.sizes[1], Self.sizes[0], Self.sizes[2], Self.sizes[1]])
            }
        }
    }
}
#endif
