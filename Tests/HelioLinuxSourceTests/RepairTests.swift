import HelioBitstream
import HelioCore
import Testing

@testable import HelioLinuxSource

@Suite struct RepairTests {
    /// The value `back` of the picture's `RepairMessage`; `nil` if it has no such message.
    private func back(_ slices: [EncodedSlice]) -> UInt64? {
        slices.first.flatMap { RepairMessage.find(inAnnexB: $0.annexB.span.bytes, codec: .h264) }.map {
            UInt64($0.back)
        }
    }

    /// Random activities with losses of one to fifteen pictures: a viewer that got the repair and one without losses
    /// show exactly the encoder's reconstruction, from the repair on.
    @Test(arguments: ChromaSampling.allCases, 1...2)
    func repairsWhatWasLost(_ chroma: ChromaSampling, seed: UInt64) throws {
        let size = [PixelSize(width: 326, height: 198), PixelSize(width: 320, height: 208)][Int(seed % 2)]
        let bench = try EncodingBench(size, chroma: chroma)
        var screen = RepairedScreen(size)
        var generator = SeededGenerator(seed: seed)
        let (whole, lossy) = try (RepairedViewer(), RepairedViewer())
        screen.show(in: bench.picture)
        try bench.encode()
        for viewer in [whole, lossy] { try viewer.take(bench.pictures[0]) }
        var (repairs, keyframes) = (0, 0)
        for round in 0..<16 {
            let lost = [0, 1, 1, 2, 4, 15][Int.random(in: 0..<6, using: &generator)]
            // A film changes everything, so no repair is worthwhile.
            let activities: [RepairedScreen.Activity] =
                round % 6 == 5 ? RepairedScreen.Activity.allCases : [.typing, .scrolling, .window, .rest, .refinement]
            // The slices of the last picture; empty if there was nothing to refine.
            var latest: [EncodedSlice] = []
            func next(_ request: UInt64? = nil) throws {
                let activity = activities[Int.random(in: 0..<activities.count, using: &generator)]
                var how = screen.step(activity, into: bench.picture)
                how.repairSince = request
                latest = try bench.encode(how) > 0 ? try #require(bench.pictures.last) : []
                try whole.take(latest)
                #expect(whole.shown == bench.encoder.reconstruction, "round \(round): \(activity)")
            }
            for _ in 0..<lost { try next() }
            let since = lossy.last
            try next(since)
            let repair = latest
            try #require(!repair.isEmpty)
            if repair[0].isKeyframe { keyframes += 1 } else { repairs += 1 }
            #expect(repair[0].isKeyframe || repair[0].repairsSince == since)
            #expect(back(repair) == (repair[0].isKeyframe ? nil : repair[0].frameIndex - since))
            for _ in 0..<3 {
                try lossy.take(latest)
                #expect(lossy.shown == bench.encoder.reconstruction, "round \(round) of \(lost)")
                try next()
                #expect(back(latest) == nil, "no repair was asked for")
            }
            try lossy.take(latest)
        }
        #expect(repairs >= 6, "\(repairs) repairs, \(keyframes) keyframes")
    }

    /// A picture of which only the first slices were decoded is completed from the previous one, and the repair
    /// includes the changes of both: also if later pictures were lost, or patches preceded it.
    @Test(arguments: ChromaSampling.allCases, 1...2)
    func repairsWhatWasBegun(_ chroma: ChromaSampling, threads: Int) throws {
        let size = PixelSize(width: 646, height: 542)
        let bench = try EncodingBench(size, chroma: chroma, threads: threads)
        var screen = TestPicture(size.width, size.height)
        var generator = SeededGenerator(seed: 5)
        screen.drawText(in: PixelRect(size))
        screen.convert(into: bench.picture)
        try bench.encode()
        let (whole, lossy) = try (RepairedViewer(), RepairedViewer())
        for viewer in [whole, lossy] { try viewer.take(bench.pictures[0]) }
        func next(_ side: Int, _ request: EncodeRequest = EncodeRequest()) throws -> [EncodedSlice] {
            let rect = PixelRect(
                x: Int.random(in: 0..<(size.width - side) / 2, using: &generator) * 2,
                y: Int.random(in: 0..<(size.height - side) / 2, using: &generator) * 2, width: side, height: side)
            screen.drawNoise(in: rect)
            screen.convert(rect, into: bench.picture)
            try bench.encode(request)
            let slices = try #require(bench.pictures.last)
            try whole.take(slices, inParts: slices[0].isKeyframe ? 0 : slices.count - 1)
            #expect(whole.shown == bench.encoder.reconstruction)
            return slices
        }
        for round in 0..<24 {
            // Patches are decoded by `PatchCoder`, so FFmpeg doesn't see them.
            for _ in 0..<round % 3 { try lossy.take(try next(40)) }
            let begun = try next(320)
            try #require(begun.count >= 2)
            try lossy.begin(begun.prefix(1 + round % (begun.count - 1)))
            if round % 4 == 3 { _ = try next(40) }
            let repair = try next(24, EncodeRequest(repairSince: lossy.last))
            #expect(repair[0].repairsSince == lossy.last)
            try lossy.take(repair)
            #expect(lossy.shown == bench.encoder.reconstruction, "round \(round)")
            try lossy.take(try next(320))
            #expect(lossy.shown == bench.encoder.reconstruction, "behind round \(round)")
        }
    }

    /// The decoder handles gaps of any length; repairs are impossible only across a restart of `frame_num`.
    @Test func gapsOfAnyLength() throws {
        let size = PixelSize(width: 96, height: 80)
        let bench = try EncodingBench(size)
        var screen = TestPicture(size.width, size.height)
        screen.drawText(in: PixelRect(size))
        screen.convert(into: bench.picture)
        try bench.encode()
        let (whole, lossy) = try (RepairedViewer(), RepairedViewer())
        for viewer in [whole, lossy] { try viewer.take(bench.pictures[0]) }
        func next(_ request: EncodeRequest = EncodeRequest()) throws -> [EncodedSlice] {
            let index = bench.pictures.count
            let rect = PixelRect(x: index * 8 % 32, y: index * 2 % 16, width: 8, height: 8)
            screen.drawNoise(in: rect)
            screen.convert(rect, into: bench.picture)
            try bench.encode(request)
            let slices = try #require(bench.pictures.last)
            try whole.take(slices)
            return slices
        }
        func lose(_ count: Int) throws -> Bool {
            for _ in 0..<count {
                _ = try next()
                #expect(whole.shown == bench.encoder.reconstruction)
            }
            let slices = try next(EncodeRequest(repairSince: lossy.last))
            try lossy.take(slices)
            #expect(lossy.shown == bench.encoder.reconstruction, "after \(count) lost")
            #expect(whole.shown == bench.encoder.reconstruction)
            return slices[0].repairsSince != nil
        }
        for count in [0] + Array(1...40) + [100] { #expect(try lose(count), "\(count) lost") }
        #expect(try !lose(130), "that is beyond the history")
        // `frame_num` is 0 again at the keyframe: continue to its next wrap.
        for _ in 0..<4090 { try lossy.take(try next()) }
        #expect(try lose(1) && !lose(8), "all numbers are as good as any")
        #expect(try lose(3))
    }

    /// The purpose of repairs: a lost picture costs a fraction of the keyframe that would otherwise be needed.
    @Test(arguments: [(RepairedScreen.Activity.typing, 0.05), (.window, 0.2), (.scrolling, 0.7)])
    func costsLessThanAKeyframe(_ activity: RepairedScreen.Activity, share: Double) throws {
        let size = PixelSize(width: 960, height: 544)
        let bench = try EncodingBench(size)
        var screen = RepairedScreen(size)
        screen.show(in: bench.picture)
        try bench.encode()
        for _ in 0..<3 { try bench.encode(screen.step(activity, into: bench.picture)) }
        let since = try #require(bench.pictures.last?[0].frameIndex)
        try bench.encode(screen.step(activity, into: bench.picture))
        var how = screen.step(activity, into: bench.picture)
        how.repairSince = since
        let repair = try bench.encode(how)
        #expect(bench.pictures.last?[0].repairsSince == since)
        let keyframe = try bench.encode(EncodeRequest(keyframe: true))
        #expect(Double(repair) <= share * Double(keyframe), "\(repair) bytes, a keyframe \(keyframe)")
    }
}
