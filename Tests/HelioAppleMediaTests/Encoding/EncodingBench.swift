#if canImport(HelioLinuxSource)
import HelioAppleFakes
import HelioAppleMedia
import HelioCore
import HelioLinuxSink

/// An encoder over `CodecSessions`, and a decoder of its whole output.
final class EncodingBench {
    let sessions: CodecSessions
    let encoder: SessionEncoder<CodecSessions>
    private let decoder: FFmpegDecoder
    private(set) var slices: [EncodedSlice] = []
    private var clock = Instant.zero

    init(
        _ size: PixelSize, codec: VideoCodec = .h264, color: ColorDescription = .bt709, profile: UInt8? = nil,
        sessions: CodecSessions = CodecSessions()
    ) throws {
        self.sessions = sessions
        let format = VideoFormat(
            codec: codec, size: size, framesPerSecond: 30, bitrate: .megabits(40), color: color, profile: profile)
        encoder = try SessionEncoder(format, sessions: sessions, patience: .milliseconds(1)) { .zero }
        decoder = try FFmpegDecoder(codec)
    }

    static func picture(_ size: PixelSize) -> FakePixels {
        let picture = FakePixels.nv12(size)
        TestPattern.fill(picture) { TestPattern.sample($0, $1, of: size) }
        return picture
    }

    /// Encodes a picture, and decodes the output; returns `nil` if there was no output.
    @discardableResult
    func send(_ picture: FakePixels, _ request: EncodeRequest = EncodeRequest()) throws -> DecodedPicture? {
        clock = clock + .milliseconds(33)
        var slice: EncodedSlice?
        let timing = FrameTiming(damaged: clock, captured: clock)
        try encoder.encode(picture, damage: Region(), request: request, timing: timing) { slice = $0 }
        guard let slice else { return nil }
        slices.append(slice)
        return try decoder.decode(
            ReceivedFrame(
                codec: encoder.format.codec, annexB: slice.annexB, mediaTime: 0, frameIndex: slice.frameIndex,
                isKeyframe: slice.isKeyframe,
                firstArrival: clock, completed: clock))
    }
}

extension FakePixels {
    /// Makes a picture of limited range with all bytes zero.
    static func nv12(_ size: PixelSize) -> FakePixels {
        FakePixels(size, .planes(SampleFormat(chroma: .yuv420, isFullRange: false)))
    }
}

extension DecodedPicture {
    func sample(_ x: Int, _ y: Int) -> TestPattern.Sample? {
        guard let luma = plane(0), let cb = plane(1), let cr = plane(2) else { return nil }
        let chroma = y / 2 * stride(1) + x / 2
        return TestPattern.Sample(y: luma[y * stride(0) + x], cb: cb[chroma], cr: cr[chroma])
    }

    /// The mean square error of luma from the upright pattern.
    func error(of size: PixelSize) -> Double {
        guard let luma = plane(0) else { return .infinity }
        var sum = 0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let difference = Int(luma[y * stride(0) + x]) - Int(TestPattern.sample(x, y, of: size).y)
                sum += difference * difference
            }
        }
        return Double(sum) / Double(size.area)
    }

    /// The patches' colours in the corners, clockwise from the top left.
    func corners() -> [TestPattern.Sample?] {
        let half = TestPattern.side / 2
        let (right, bottom) = (size.width - half, size.height - half)
        return [sample(half, half), sample(right, half), sample(right, bottom), sample(half, bottom)]
    }
}

extension TestPattern.Sample {
    func isClose(to other: Self) -> Bool {
        abs(Int(y) - Int(other.y)) <= 4 && abs(Int(cb) - Int(other.cb)) <= 4 && abs(Int(cr) - Int(other.cr)) <= 4
    }
}
#endif
