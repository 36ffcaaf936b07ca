#if canImport(HelioLinuxSource)
import HelioAppleFakes
import HelioAppleMedia
import HelioBitstream
import HelioCore
import HelioLinuxSink
import Testing

@Suite("Encoding by sessions")
struct EncodingTests {
    static let small = PixelSize(width: 320, height: 240)

    private func isUpright(_ decoded: DecodedPicture?) -> Bool {
        guard let decoded else { return false }
        return zip(decoded.corners(), TestPattern.corners).allSatisfy { $0?.isClose(to: $1) == true }
    }

    @Test(
        "pictures and patches survive at the sizes of row 92, and the stream says its colours",
        arguments: [(640, 480), (1280, 720), (1920, 1080)], [ColorDescription.bt709, .bt601])
    func fidelity(_ size: (Int, Int), color: ColorDescription) throws {
        let size = PixelSize(width: size.0, height: size.1)
        let bench = try EncodingBench(size, color: color)
        let picture = EncodingBench.picture(size)
        for index in 0..<3 {
            let decoded = try #require(try bench.send(picture))
            #expect(decoded.size == size)
            #expect(decoded.description.color == color)
            #expect(isUpright(decoded))
            // A peak signal-to-noise ratio of 38 dB.
            #expect(decoded.error(of: size) < 10.3)
            #expect(bench.slices.last?.isKeyframe == (index == 0))
        }
        #expect(bench.slices.map(\.frameIndex) == [0, 1, 2])
        #expect(bench.encoder.toldColor == color)
        #expect(bench.encoder.notes.isEmpty)
        #expect(bench.encoder.losses.total == 0)
    }

    @Test("H.265 has its three parameter sets first, and its colours")
    func h265() throws {
        let bench = try EncodingBench(Self.small, codec: .h265, color: .bt601)
        let picture = EncodingBench.picture(Self.small)
        for _ in 0..<2 { #expect(isUpright(try bench.send(picture))) }
        #expect(bench.slices.map(\.isKeyframe) == [true, false])
        let unit = bench.slices[0].annexB
        let types = AnnexB.nalUnits(in: unit.span.bytes).map { H265NALType(header: unit[$0.lowerBound]) }
        #expect(Array(types.prefix(3)) == [.vps, .sps, .pps])
        #expect(bench.encoder.toldColor == .bt601)
        #expect(bench.encoder.notes.isEmpty)
        #expect(bench.encoder.summary.contains("H.265 Main"))
    }

    @Test("the size of lengths and where blocks end make no difference", arguments: [2, 3, 4], [1, 3, 7, 1 << 20])
    func blocks(lengthSize: Int, blockSize: Int) throws {
        let sessions = CodecSessions()
        sessions.lengthSize = lengthSize
        sessions.blockSize = blockSize
        let bench = try EncodingBench(Self.small, sessions: sessions)
        let picture = EncodingBench.picture(Self.small)
        for _ in 0..<2 { #expect(isUpright(try bench.send(picture))) }
    }

    @Test("every keyframe has its parameter sets first, and comes when it is asked for")
    func keyframes() throws {
        let bench = try EncodingBench(Self.small)
        let picture = EncodingBench.picture(Self.small)
        try bench.send(picture)
        try bench.send(picture)
        try bench.send(picture, EncodeRequest(keyframe: true))
        try bench.send(picture, EncodeRequest(repairSince: 1))
        #expect(bench.slices.map(\.isKeyframe) == [true, false, true, true])
        for slice in bench.slices where slice.isKeyframe {
            let types = AnnexB.nalUnits(in: slice.annexB.span.bytes).map {
                H264NALType(header: slice.annexB[$0.lowerBound])
            }
            #expect(Array(types.prefix(2)) == [.sps, .pps])
            #expect(types.dropFirst(2).allSatisfy { $0 == .idr })
        }
    }

    @Test("the modes and profiles of defect 11 are tried in turn")
    func profiles() throws {
        #expect(try EncodingBench(Self.small).encoder.summary.contains("Constrained High, low latency"))
        let picky = CodecSessions()
        picky.refuses = { $0 == .profile(.h264ConstrainedHigh) }
        let second = try EncodingBench(Self.small, sessions: picky)
        #expect(second.encoder.summary.contains("Constrained Baseline, low latency"))
        let plain = CodecSessions()
        plain.hasLowLatency = false
        let third = try EncodingBench(Self.small, sessions: plain)
        #expect(third.encoder.summary.hasSuffix("Main"))
        #expect(try EncodingBench(Self.small, profile: 66).encoder.summary.contains("Constrained Baseline"))
        // Only ordinary rate control supports this profile.
        let main = try EncodingBench(Self.small, profile: 77)
        #expect(main.encoder.summary.hasSuffix("Main"))
        #expect(main.sessions.made.map(\.isLowLatency) == [false])
    }

    @Test("a session that refuses all properties codes nevertheless, and what it refused is told")
    func refusals() throws {
        let sessions = CodecSessions()
        sessions.refuses = { _ in true }
        let bench = try EncodingBench(Self.small, sessions: sessions)
        #expect(isUpright(try bench.send(EncodingBench.picture(Self.small))))
        #expect(sessions.made.map(\.isLowLatency) == [true, false])
        #expect(sessions.invalidated == 1)
        #expect(bench.encoder.notes.contains { $0.contains("no reordering") })
        // The session rejected the colour properties, so the stream has no colour description.
        #expect(bench.encoder.toldColor == .unspecified)
        #expect(bench.encoder.notes.contains { $0.contains("was to say 1/1/1") })
    }

    @Test(
        "an encoder that says other colours than it was told to is corrected, and noticed once",
        arguments: [VideoCodec.h264, .h265], [ColorDescription.bt601, .unspecified])
    func wrongColor(codec: VideoCodec, told: ColorDescription) throws {
        let sessions = CodecSessions()
        sessions.color = told
        let bench = try EncodingBench(Self.small, codec: codec, sessions: sessions)
        let picture = EncodingBench.picture(Self.small)
        for _ in 0..<3 {
            let decoded = try bench.send(picture, EncodeRequest(keyframe: true))
            #expect(decoded?.description.color == .bt709)
            #expect(isUpright(decoded))
        }
        #expect(bench.encoder.notes.count == 1 && bench.encoder.notes[0].hasSuffix("it is corrected."))
        #expect(bench.encoder.toldColor == told)
    }

    @Test("limits have bytes and seconds, and rates change in the running session")
    func rates() throws {
        let bench = try EncodingBench(Self.small)
        let picture = EncodingBench.picture(Self.small)
        try bench.send(picture)
        bench.sessions.properties = []
        var format = bench.encoder.format
        format.bitrate = .megabits(2)
        format.framesPerSecond = 15
        try bench.encoder.reconfigure(format)
        let limit = EncoderPreset.DataRateLimit(bytes: 500_000, seconds: 1)
        #expect(
            bench.sessions.properties == [.expectedRate(15), .averageBitrate(2_000_000), .dataRateLimit(limit)])
        #expect(isUpright(try bench.send(picture)))
        #expect(bench.slices.last?.isKeyframe == false)
        #expect(bench.sessions.made.count == 1)
        // A session that rejects the new bitrate is replaced.
        bench.sessions.refuses = { [sessions = bench.sessions] in
            $0 == .averageBitrate(3_000_000) && sessions.made.count == 1
        }
        format.bitrate = .megabits(3)
        try bench.encoder.reconfigure(format)
        #expect(isUpright(try bench.send(picture)))
        #expect(bench.slices.last?.isKeyframe == true)
        #expect(bench.sessions.invalidated == 1)
    }

    @Test("a session that refuses one rate but takes the bitrate goes on, with no keyframe for each new bitrate")
    func refusedRate() throws {
        let sessions = CodecSessions()
        sessions.refuses = { if case .dataRateLimit = $0 { true } else { false } }
        let bench = try EncodingBench(Self.small, sessions: sessions)
        let picture = EncodingBench.picture(Self.small)
        try bench.send(picture)
        for megabits in 2...6 {
            var format = bench.encoder.format
            format.bitrate = .megabits(megabits)
            try bench.encoder.reconfigure(format)
            #expect(bench.encoder.format.bitrate == .megabits(megabits))
            #expect(isUpright(try bench.send(picture)))
        }
        #expect(bench.slices.map(\.isKeyframe) == [true, false, false, false, false, false])
        #expect(sessions.made.count == 1 && sessions.invalidated == 0)
    }

    @Test("a session that gives a picture only with the next one is made to give each at once")
    func heldBack() throws {
        let sessions = CodecSessions()
        sessions.hasLowLatency = false
        sessions.holdsBack = true
        let bench = try EncodingBench(Self.small, sessions: sessions)
        let picture = EncodingBench.picture(Self.small)
        for _ in 0..<3 { #expect(isUpright(try bench.send(picture))) }
        #expect(bench.slices.map(\.isKeyframe) == [true, false, false])
        #expect(sessions.completed == 3 && sessions.made.count == 1 && bench.encoder.losses.total == 0)
        // Low-latency rate control gives each picture by itself.
        let quick = try EncodingBench(Self.small)
        try quick.send(picture)
        #expect(quick.sessions.completed == 0)
    }

    @Test("another size is another session, and all is as before where there is none")
    func resize() throws {
        let bench = try EncodingBench(Self.small)
        let picture = EncodingBench.picture(Self.small)
        try bench.send(picture)
        var format = bench.encoder.format
        format.size = PixelSize(width: 240, height: 320)
        bench.sessions.hasAny = false
        #expect(throws: HelioError.self) { try bench.encoder.reconfigure(format) }
        #expect(isUpright(try bench.send(picture)))
        #expect(bench.slices.last?.isKeyframe == false)
        bench.sessions.hasAny = true
        try bench.encoder.reconfigure(format)
        #expect(throws: HelioError.self) { try bench.send(picture) }
        let decoded = try bench.send(EncodingBench.picture(format.size))
        #expect(decoded?.size == format.size)
        #expect(isUpright(decoded))
        #expect(bench.slices.map(\.isKeyframe) == [true, false, true])
        #expect(bench.sessions.invalidated == 1)
    }

    @Test("a session that was invalidated in the background is replaced within the picture")
    func background() throws {
        let bench = try EncodingBench(Self.small)
        let picture = EncodingBench.picture(Self.small)
        try bench.send(picture)
        bench.sessions.fates = [.invalid]
        #expect(isUpright(try bench.send(picture)))
        #expect(bench.slices.map(\.isKeyframe) == [true, true])
        #expect(bench.encoder.losses[.rebuilt] == 1)
        #expect(bench.sessions.made.count == 2)
        #expect(bench.sessions.invalidated == 1)
        // A second failure within one picture is an error; the next picture starts afresh.
        bench.sessions.fates = [.invalid, .invalid]
        #expect(throws: HelioError.self) { try bench.send(picture) }
        #expect(!bench.encoder.isHardware)
        #expect(isUpright(try bench.send(picture)))
        #expect(bench.encoder.isHardware)
        #expect(bench.slices.map(\.frameIndex) == [0, 1, 2])
        #expect(bench.slices.last?.isKeyframe == true)
    }

    @Test("a failure, and a session that gives nothing in time, are thrown, and the next picture is a keyframe")
    func failures() throws {
        let bench = try EncodingBench(Self.small)
        let picture = EncodingBench.picture(Self.small)
        try bench.send(picture)
        for fate in [CodecSessions.Fate.failed, .silent] {
            bench.sessions.fates = [fate]
            #expect(throws: HelioError.self) { try bench.send(picture) }
            #expect(bench.encoder.isHardware, "who is told of it has to know that it was hardware's")
            #expect(isUpright(try bench.send(picture)))
            #expect(bench.slices.last?.isKeyframe == true)
        }
        #expect(bench.encoder.losses[.late] == 1)
        #expect(bench.sessions.made.count == 3)
        #expect(bench.sessions.invalidated == 2)
    }

    @Test("a picture that the session leaves out is counted, and a keyframe that was asked for is asked for again")
    func drops() throws {
        let bench = try EncodingBench(Self.small)
        let picture = EncodingBench.picture(Self.small)
        try bench.send(picture)
        bench.sessions.fates = [.dropped, .coded, .dropped]
        #expect(bench.encoder.refinementSteps == 0 && bench.encoder.isSharp)
        #expect(try bench.send(picture) == nil)
        // A keyframe stays requested until one was encoded.
        #expect(bench.encoder.refinementSteps == 3 && !bench.encoder.isSharp)
        #expect(isUpright(try bench.send(picture)))
        #expect(bench.encoder.refinementSteps == 0 && bench.encoder.isSharp)
        #expect(bench.slices.last?.isKeyframe == false)
        #expect(try bench.send(picture, EncodeRequest(keyframe: true)) == nil)
        #expect(isUpright(try bench.send(picture)))
        #expect(bench.slices.map(\.isKeyframe) == [true, false, true])
        #expect(bench.slices.map(\.frameIndex) == [0, 1, 2])
        #expect(bench.encoder.losses[.dropped] == 2)
    }

    @Test("a sample that can't be read is counted, and a keyframe follows; three in a row are an error")
    func broken() throws {
        let bench = try EncodingBench(Self.small)
        let picture = EncodingBench.picture(Self.small)
        bench.sessions.fates = [.withoutParameterSets]
        #expect(try bench.send(picture) == nil)
        #expect(isUpright(try bench.send(picture)))
        bench.sessions.fates = [.truncated]
        #expect(try bench.send(picture) == nil)
        #expect(isUpright(try bench.send(picture)))
        #expect(bench.slices.map(\.isKeyframe) == [true, true])
        #expect(bench.encoder.losses[.broken] == 2)
        bench.sessions.fates = [.truncated, .truncated, .truncated]
        #expect(try bench.send(picture) == nil)
        #expect(try bench.send(picture) == nil)
        #expect(throws: HelioError.self) { try bench.send(picture) }
        #expect(isUpright(try bench.send(picture)))
    }
}
#endif
