import HelioCore
import HelioWindow
import Testing

@testable import HelioLinuxSink

@Suite struct ColorTests {
    static let patches: [[Double]] = [
        [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [128, 128, 128], [255, 255, 0],
        [0, 255, 255], [255, 0, 255], [40, 90, 160], [230, 180, 30], [17, 17, 17],
    ]
    static let colors: [ColorDescription] = [
        .bt709, .bt601, ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true),
        ColorDescription(primaries: 6, transfer: 1, matrix: 6, isFullRange: true),
    ]
    static let sizes = [
        PixelSize(width: 854, height: 480), PixelSize(width: 1280, height: 720), PixelSize(width: 1920, height: 1080),
    ]

    /// Row 92: a patch sent at 480p, 720p and 1080p decodes within tolerance, whatever its matrix and range.
    @Test(arguments: colors, sizes)
    func patchesSurviveTheStream(color: ColorDescription, size: PixelSize) throws {
        let frames = try Self.encode(color, size, tagged: true)
        let decoder = try FFmpegDecoder(.h264)
        let picture = try #require(try decoder.decode(frames[0]))
        #expect(picture.description == PictureDescription(size: size, chroma: .yuv420, color: color))
        try Self.expectPatches(picture)
    }

    /// A stream without a colour description is BT.601 below 720 lines, and BT.709 from 720 lines on.
    @Test(arguments: sizes)
    func silenceMeansTheConvention(size: PixelSize) throws {
        let meant: ColorDescription = size.height >= 720 ? .bt709 : .bt601
        let frames = try Self.encode(meant, size, tagged: false)
        let decoder = try FFmpegDecoder(.h264)
        let picture = try #require(try decoder.decode(frames[0]))
        #expect(picture.description.color == .unspecified)
        try Self.expectPatches(picture)
    }

    @Test(arguments: [UInt8](0...14))
    func matrices(code: UInt8) {
        let color = ColorDescription(primaries: 2, transfer: 2, matrix: code, isFullRange: false)
        let expected: PictureColor.Weights? =
            switch code {
            case 1, 2, 3: .bt709
            case 4: .fcc
            case 5, 6: .bt601
            case 7: .smpte240
            case 9, 10: .bt2020
            default: nil
            }
        #expect(PictureColor.weights(of: color, size: PixelSize(width: 1280, height: 720)) == expected)
    }

    /// Every matrix, range and chroma sampling against the standard's definition, with all sample values.
    @Test(arguments: [UInt8](arrayLiteral: 1, 6, 9), [false, true])
    func conversionFollowsTheDefinition(matrix: UInt8, isFullRange: Bool) throws {
        let color = ColorDescription(primaries: 2, transfer: 2, matrix: matrix, isFullRange: isFullRange)
        for chroma in ChromaSampling.allCases {
            let size = PixelSize(width: 255, height: 201)
            let picture = try TestPicture.make(size, chroma: chroma, color: color) { plane, x, y in
                plane == 0 ? UInt8(x % 256) : UInt8((plane == 1 ? y * 5 + x / 7 : y * 3 + x) % 256)
            }
            let image = TestPicture.convert(picture)
            let portable = TestPicture.convert(picture, usesVectors: false)
            #expect(TestPicture.bytes(of: image) == TestPicture.bytes(of: portable))
            var worst = 0.0
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let expected = try TestPicture.reference(picture, x: x, y: y)
                    let pixel = image.at(x, y)
                    for channel in 0..<3 { worst = max(worst, abs(Double(pixel[2 - channel]) - expected[channel])) }
                }
            }
            #expect(worst <= 0.6, "\(matrix) \(isFullRange) \(chroma): off by \(worst)")
        }
    }

    /// Interleaved chroma from hardware decoders converts like planar chroma from software.
    @Test(arguments: [PixelSize(width: 64, height: 32), PixelSize(width: 77, height: 33)])
    func interleavedColorConvertsAlike(size: PixelSize) throws {
        let planar = try TestPicture.noise(size, seed: 4)
        let interleaved = try TestPicture.interleaved(planar)
        #expect(interleaved.layout.planes == .nv12)
        let expected = TestPicture.bytes(of: TestPicture.convert(planar))
        #expect(TestPicture.bytes(of: TestPicture.convert(interleaved)) == expected)
        #expect(TestPicture.bytes(of: TestPicture.convert(interleaved, usesVectors: false)) == expected)
    }

    private static func encode(
        _ color: ColorDescription, _ size: PixelSize, tagged: Bool
    ) throws -> [ReceivedFrame] {
        let samples = patches.map { ReferenceColor.encode($0, color) }
        var raw: [UInt8] = []
        for plane in 0..<3 {
            let by = plane == 0 ? 1 : 2
            for _ in 0..<size.height / by {
                for x in 0..<size.width / by { raw.append(samples[x * by * samples.count / size.width][plane]) }
            }
        }
        var parameters = "qp=4"
        if tagged {
            let matrix = color.matrix == 1 ? "bt709" : "smpte170m"
            let primaries = color.primaries == 1 ? "bt709" : "smpte170m"
            parameters += ":colormatrix=\(matrix):colorprim=\(primaries):transfer=bt709"
            parameters += ":fullrange=\(color.isFullRange ? "on" : "off")"
        }
        return try TestStream.encode(raw: raw, size: size, parameters: parameters)
    }

    private static func expectPatches(_ picture: DecodedPicture) throws {
        let image = TestPicture.convert(picture)
        for (index, patch) in patches.enumerated() {
            let x = (2 * index + 1) * picture.size.width / (2 * patches.count)
            let pixel = image.at(x, picture.size.height / 2)
            for channel in 0..<3 {
                let difference = abs(Double(pixel[2 - channel]) - patch[channel])
                #expect(difference <= 3, "patch \(patch), channel \(channel): off by \(difference)")
            }
        }
    }
}
