import HelioBitstream
import HelioCore
import Testing

@testable import HelioLinuxSource

/// Keyframes that x264 encodes on a separate thread, while changes are still coded on top of the previous picture.
@Suite struct KeyframeAsideTests {
    static let size = PixelSize(width: 406, height: 312)

    /// Returns a bench with a first keyframe of text, and its screen.
    private func makeBench(
        _ size: PixelSize = size, chroma: ChromaSampling = .yuv420, threads: Int = 2
    ) throws -> (bench: EncodingBench, screen: TestPicture) {
        let bench = try EncodingBench(size, chroma: chroma, bitrate: .megabits(400), threads: threads)
        bench.codeKeyframesAside()
        var screen = TestPicture(size.width, size.height)
        screen.drawText(in: PixelRect(size), isColored: true)
        screen.convert(into: bench.picture)
        try bench.encode()
        return (bench, screen)
    }

    private func type(_ index: Int, _ screen: inout TestPicture, _ bench: EncodingBench) throws -> Int {
        let rect = PixelRect(x: 16 * index % 384, y: 32, width: 10, height: 14)
        screen.drawNoise(in: rect)
        screen.convert(rect, into: bench.picture)
        return try bench.encode(damage: Region(rect))
    }

    /// Expects the ffmpeg program's decoding of the whole stream to end with the encoder's reconstruction.
    private func expectDecodes(_ bench: EncodingBench) throws {
        let format = bench.picture.chroma == .yuv420 ? "yuv420p" : "yuv444p"
        let decoded = try CommandLineTool.decode(bench.stream, codec: "h264", pixelFormat: format)
        #expect(decoded.count == bench.sources[0].count * bench.pictures.count)
        #expect(Array(decoded.suffix(bench.sources[0].count)) == bench.encoder.reconstruction)
    }

    /// Keys pressed just before or during the encoding of a newcomer's keyframe are sent before it; after it they are
    /// coded once more, as a patch.
    @Test(arguments: ChromaSampling.allCases, [1, 2])
    func keysGoBeforeIt(_ chroma: ChromaSampling, threads: Int) throws {
        var (bench, screen) = try makeBench(chroma: chroma, threads: threads)
        let rect = PixelRect(x: 320, y: 200, width: 10, height: 14)
        screen.drawNoise(in: rect)
        screen.convert(rect, into: bench.picture)
        #expect(try bench.encode(EncodeRequest(keyframe: true), damage: Region(rect)) > 0)
        #expect(bench.encoder.keyframeAside != .absent)
        let snapshot = bench.picture.planar
        for i in 0..<5 { #expect(try type(i, &screen, bench) > 0) }
        let before = try #require(bench.encoder.reconstruction)
        #expect(try bench.takeKeyframe(of: snapshot))
        #expect(try #require(bench.encoder.reconstruction) != before)
        #expect(try bench.encode() > 0)
        #expect(bench.pictures.map { $0[0].isKeyframe } == [true] + Array(repeating: false, count: 6) + [true, false])
        #expect(
            bench.pictures.enumerated().allSatisfy { i, slices in slices.allSatisfy { $0.frameIndex == UInt64(i) } })
        #expect(bench.pictures[7].map(\.isFirst).first == true && bench.pictures[7].last?.isLast == true)
        #expect(bench.pictures[8].count == 1, "no patch brought the keys back")
        let times = bench.pictures.map { $0[0].timing.captured }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(try bench.quality().allSatisfy { $0 > 34 })
        try expectDecodes(bench)
        // The stream is decodable from the keyframe on.
        let tail = bench.pictures[7...].flatMap { $0.flatMap(\.annexB) }
        let decoded = try CommandLineTool.decode(
            tail, codec: "h264", pixelFormat: chroma == .yuv420 ? "yuv420p" : "yuv444p")
        #expect(Array(decoded.suffix(snapshot.count)) == bench.encoder.reconstruction)
    }

    @Test func whereNothingChangesThereIsNoOtherPicture() throws {
        let (bench, _) = try makeBench()
        #expect(try bench.encode(EncodeRequest(keyframe: true)) == 0)
        // A request at this time gets the same keyframe.
        #expect(try bench.encode(EncodeRequest(keyframe: true)) == 0)
        #expect(try !bench.takeKeyframe(of: bench.picture.planar))
        #expect(bench.pictures.map { $0[0].isKeyframe } == [true, true])
        #expect(bench.pictures.map { $0[0].frameIndex } == [0, 1])
        try bench.refineUntilSharp()
        #expect(try #require(bench.quality().last) > 47)
        try expectDecodes(bench)
    }

    /// Drawing over the picture right after the request must not affect the keyframe.
    @Test(arguments: ChromaSampling.allCases)
    func pictureMayBeDrawnOver(_ chroma: ChromaSampling) throws {
        let size = PixelSize(width: 806, height: 454)
        var (bench, screen) = try makeBench(size, chroma: chroma)
        for round in 0..<2 {
            let snapshot = bench.picture.planar
            #expect(try bench.encode(EncodeRequest(keyframe: true)) == 0)
            if round % 2 == 0 { screen.drawNoise(in: PixelRect(size)) } else { screen.drawText(in: PixelRect(size)) }
            screen.convert(into: bench.picture)
            // The large change keeps x264 busy.
            #expect(try bench.encode(damage: Region(PixelRect(size))) == 0)
            #expect(try bench.takeKeyframe(of: snapshot))
            #expect(psnr(try #require(bench.encoder.reconstruction), snapshot) > 35)
            #expect(try bench.encode() > 0)
            #expect(psnr(try #require(bench.encoder.reconstruction), bench.picture.planar) > 34)
        }
        try expectDecodes(bench)
    }

    @Test func refinementWaitsAndBeginsAnew() throws {
        var (bench, screen) = try makeBench()
        try bench.refineUntilSharp()
        let snapshot = bench.picture.planar
        #expect(try bench.encode(EncodeRequest(keyframe: true)) == 0)
        #expect(try bench.encode(EncodeRequest(refinement: 1)) == 0)
        #expect(try type(1, &screen, bench) > 0)
        #expect(try bench.takeKeyframe(of: snapshot))
        #expect(!bench.encoder.isSharp)
        // The changes made meanwhile are coded again first, even if a refinement is requested.
        #expect(try bench.encode(EncodeRequest(refinement: 1)) > 0)
        #expect(try #require(bench.quality().last) > 36)
        try bench.refineUntilSharp()
        #expect(try #require(bench.quality().last) > 47)
        try expectDecodes(bench)
    }

    /// A loss older than the remembered pictures is answered by a keyframe, encoded aside like any other.
    @Test func lossBeyondRepair() throws {
        var (bench, screen) = try makeBench()
        for i in 0..<140 { _ = try type(i, &screen, bench) }
        let snapshot = bench.picture.planar
        #expect(try bench.encode(EncodeRequest(repairSince: 2)) == 0)
        #expect(bench.encoder.keyframeAside != .absent)
        // A later loss is repaired in the meantime.
        #expect(try bench.encode(EncodeRequest(repairSince: 138)) > 0)
        #expect(bench.pictures.last?[0].repairsSince == 138)
        #expect(try !bench.takeKeyframe(of: snapshot))
        #expect(bench.pictures.last?[0].isKeyframe == true)
        try expectDecodes(bench)
    }

    /// Patches emitted while a keyframe is encoded in place of a repair are ordinary pictures and don't count as
    /// repairs.
    @Test func patchesBesideItAreNoRepairs() throws {
        var (bench, screen) = try makeBench()
        for i in 0..<140 { _ = try type(i, &screen, bench) }
        for request in [EncodeRequest(repairSince: 2), EncodeRequest(repairSince: 3)] {
            let rect = PixelRect(x: 320, y: 200, width: 10, height: 14)
            screen.drawNoise(in: rect)
            screen.convert(rect, into: bench.picture)
            #expect(try bench.encode(request, damage: Region(rect)) > 0)
            #expect(bench.encoder.keyframeAside != .absent)
            let slice = try #require(bench.pictures.last?.first)
            #expect(!slice.isKeyframe && slice.repairsSince == nil)
            #expect(RepairMessage.find(inAnnexB: slice.annexB.span.bytes, codec: .h264) == nil)
        }
    }

    /// After a change of the whole screen, its keyframe doesn't wait for an older one in progress, which is dropped.
    @Test func allNewKeyframeComesAtOnce() throws {
        var (bench, screen) = try makeBench()
        #expect(try bench.encode(EncodeRequest(keyframe: true)) == 0)
        screen.drawNoise(in: PixelRect(Self.size))
        screen.convert(into: bench.picture)
        #expect(try bench.encode(EncodeRequest(keyframe: true)) > 0)
        #expect(bench.encoder.keyframeAside == .absent)
        #expect(bench.pictures.map { $0[0].isKeyframe } == [true, true])
        #expect(try type(3, &screen, bench) > 0)
        #expect(try bench.quality().allSatisfy { $0 > 34 })
        try expectDecodes(bench)
    }

    @Test func anotherSizeDropsIt() throws {
        let (bench, _) = try makeBench()
        var format = bench.encoder.format
        #expect(try bench.encode(EncodeRequest(keyframe: true)) == 0)
        // A change of the bitrate doesn't drop it.
        format.bitrate = .megabits(5)
        try bench.encoder.reconfigure(format)
        #expect(bench.encoder.keyframeAside != .absent)
        format.size = PixelSize(width: 160, height: 96)
        try bench.encoder.reconfigure(format)
        #expect(bench.encoder.keyframeAside == .absent)
        let small = try PlanarPicture(size: format.size, chroma: .yuv420, color: .bt709)
        #expect(try bench.slices(of: small).first?.isKeyframe == true)
        // A keyframe of an unchanged picture that is never taken.
        #expect(try bench.slices(of: small, EncodeRequest(keyframe: true)).isEmpty)
        #expect(bench.encoder.keyframeAside != .absent)
    }

    /// Random activities, with keyframes requested and taken at any time: a viewer from the start and one that joined
    /// at the last keyframe show exactly the encoder's reconstruction after each picture.
    @Test(arguments: ChromaSampling.allCases, 1...3)
    func anythingMayHappenMeanwhile(_ chroma: ChromaSampling, seed: UInt64) throws {
        let size = [PixelSize(width: 400, height: 304), Self.size][Int(seed % 2)]
        let bench = try EncodingBench(size, chroma: chroma, threads: 1 + Int(seed) % 2)
        bench.codeKeyframesAside()
        var screen = RepairedScreen(size)
        var generator = SeededGenerator(seed: seed)
        screen.show(in: bench.picture)
        try bench.encode()
        let first = try RepairedViewer()
        var newcomer = try RepairedViewer()
        for viewer in [first, newcomer] { try viewer.take(bench.pictures[0]) }
        var (seen, taken, meanwhile) = (1, 0, 0)
        func show(_ what: String) throws {
            guard bench.pictures.count > seen else { return }
            seen += 1
            try #require(bench.pictures.count == seen)
            let slices = bench.pictures[seen - 1]
            #expect(slices.allSatisfy { $0.frameIndex == UInt64(seen - 1) })
            if slices[0].isKeyframe { newcomer = try RepairedViewer() }
            for viewer in [first, newcomer] {
                try viewer.take(slices)
                #expect(viewer.shown == bench.encoder.reconstruction, "picture \(seen - 1): \(what)")
            }
        }
        var snapshot: [UInt8]?
        for round in 0..<80 {
            let activities: [RepairedScreen.Activity] =
                round % 10 == 9 ? RepairedScreen.Activity.allCases : [.typing, .typing, .scrolling, .rest, .refinement]
            let activity = activities[Int.random(in: 0..<activities.count, using: &generator)]
            var how = screen.step(activity, into: bench.picture)
            let chance = Int.random(in: 0..<12, using: &generator)
            if chance < 2 { how.keyframe = true }
            if chance == 2 {
                how.repairSince = UInt64(max(0, bench.pictures.count - .random(in: 1...9, using: &generator)))
            }
            let wasAside = bench.encoder.keyframeAside != .absent
            let source = bench.picture.planar
            let isCoded = try bench.encode(how) > 0
            try show("\(activity)")
            if wasAside, isCoded, bench.encoder.keyframeAside != .absent { meanwhile += 1 }
            if bench.encoder.keyframeAside == .absent { snapshot = nil }
            if !wasAside, bench.encoder.keyframeAside != .absent { snapshot = source }
            guard let from = snapshot, Int.random(in: 0..<4, using: &generator) == 0 else { continue }
            snapshot = nil
            let isBehind = try bench.takeKeyframe(of: from)
            taken += 1
            try show("keyframe aside")
            #expect(psnr(try #require(bench.encoder.reconstruction), from) > 33)
            guard isBehind else { continue }
            #expect(try bench.encode() > 0)
            try show("what is behind")
            #expect(psnr(try #require(bench.encoder.reconstruction), bench.picture.planar) > 33, "round \(round)")
        }
        #expect(taken >= 4 && meanwhile >= 4, "\(taken) taken, \(meanwhile) pictures meanwhile")
    }
}
