import HelioAppleMedia
import HelioCore
import Testing

@Suite("An encoder of held pictures")
struct HeldEncoderTests {
    /// An encoder of numbers that records its requests.
    final class Inner: VideoEncoding {
        var format = VideoFormat(codec: .h265, size: PixelSize(width: 32, height: 16), color: .bt709)
        let summary = "numbers"
        let isHardware = true
        let changesRatesInPlace = true
        let refinementSteps = 3
        let isSharp = false
        let repairs = true
        let quality: CodedQuality? = nil
        var coded: [(Int, Region, EncodeRequest, FrameTiming)] = []

        func encode(
            _ picture: Int, damage: Region, request: EncodeRequest, timing: FrameTiming, emit: (EncodedSlice) -> Void
        ) throws(HelioError) {
            if picture < 0 { throw HelioError(.encoderFailed, "No.") }
            coded.append((picture, damage, request, timing))
            emit(
                EncodedSlice(
                    frameIndex: 9, annexB: [UInt8(picture)], isFirst: true, isLast: true, isKeyframe: true,
                    timing: timing))
        }

        func debt(now: Instant) -> Duration { .seconds(now == .zero ? 0 : 2) }
        func reconfigure(_ format: VideoFormat) throws(HelioError) { self.format = format }
    }

    let inner = Inner()
    let timing = FrameTiming(damaged: .zero, captured: .zero + .seconds(1))

    private func picture(_ buffer: String?) -> HeldPicture<String> {
        HeldPicture(size: inner.format.size, chroma: .yuv420, color: .bt709, buffer: buffer)
    }

    @Test("the buffer that a picture holds now is coded, with all that was asked for")
    func coded() throws {
        let encoder = HeldEncoder<Inner, String>(inner) { Int($0) ?? -1 }
        let held = picture("7")
        let damage = Region(PixelRect(x: 0, y: 0, width: 16, height: 16))
        var slices: [EncodedSlice] = []
        try encoder.encode(held, damage: damage, request: EncodeRequest(keyframe: true), timing: timing) {
            slices.append($0)
        }
        held.buffer = "8"
        try encoder.encode(held, damage: damage, request: EncodeRequest(), timing: timing) { slices.append($0) }
        #expect(inner.coded.map(\.0) == [7, 8] && inner.coded[0].1 == damage)
        #expect(inner.coded.map(\.2.keyframe) == [true, false] && inner.coded[0].3.captured == timing.captured)
        #expect(slices.map(\.annexB) == [[7], [8]])
    }

    @Test("a picture that holds nothing yet is an error, and the encoder's own errors go through")
    func errors() {
        let encoder = HeldEncoder<Inner, String>(inner) { Int($0) ?? -1 }
        for buffer in [nil, "x"] {
            let error = #expect(throws: HelioError.self) {
                try encoder.encode(
                    picture(buffer), damage: Region(), request: EncodeRequest(), timing: timing, emit: { _ in })
            }
            #expect(error?.code == .encoderFailed)
        }
        #expect(inner.coded.isEmpty)
    }

    @Test("it says of itself what the encoder says, and changes as that does")
    func same() throws {
        let encoder = HeldEncoder<Inner, String>(inner) { Int($0) ?? -1 }
        #expect(encoder.summary == "numbers" && encoder.isHardware && encoder.changesRatesInPlace)
        #expect(encoder.refinementSteps == 3 && !encoder.isSharp && encoder.repairs && encoder.quality == nil)
        #expect(encoder.debt(now: .zero) == .zero && encoder.debt(now: .zero + .seconds(1)) == .seconds(2))
        var format = inner.format
        format.size = PixelSize(width: 64, height: 64)
        try encoder.reconfigure(format)
        #expect(inner.format == format && encoder.format == format)
    }
}
