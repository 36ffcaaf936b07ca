import HelioAppleMedia
import HelioBitstream
import HelioCore
import HelioLinuxSource
import HelioPatch
import Synchronization
import Testing

/// The extension's pictures from capture to encoding, with x264 instead of VideoToolbox.
struct ExtensionPipelineTests {
    /// A pipeline, and its output so far.
    final class Bench: Sendable {
        let sessions = TestSessions()
        let transfers = TestTransfers()
        let coded = Mutex<[(frame: EncodedFrame, size: PixelSize)]>([])
        let pipeline = Mutex<ExtensionPipeline<TestSessions, TestTransfers>?>(nil)

        init() {
            let pipeline = ExtensionPipeline(
                sessions: sessions, transfers: transfers, now: { .zero },
                emit: { [weak self] frame, size in self?.coded.withLock { $0.append((frame, size)) } })
            self.pipeline.withLock { $0 = pipeline }
        }

        var its: ExtensionPipeline<TestSessions, TestTransfers> {
            get throws { try #require(pipeline.withLock { $0 }) }
        }

        /// Passes a picture with this timestamp to the pipeline; returns whether it is still retained afterwards.
        @discardableResult
        func take(_ milliseconds: Int, _ size: PixelSize = PixelSize(width: 886, height: 1920)) throws -> Bool {
            weak var held: PlanarPicture?
            do {
                let picture = try PlanarPicture(size: size, chroma: .yuv420, color: .bt709)
                held = picture
                try its.take(picture, turn: .none, captured: .zero + .milliseconds(milliseconds))
            }
            return held != nil
        }

        var sizes: [PixelSize] { coded.withLock { $0.map(\.size) } }
        var frames: [EncodedFrame] { coded.withLock { $0.map(\.frame) } }
    }

    @Test("a phone's screen is coded upright within 720p, each picture with its time, a keyframe first and on request")
    func codes() throws {
        let bench = Bench()
        for number in 0..<4 { try bench.take(number * 33) }
        try bench.its.requestKeyframe()
        try bench.take(132)
        #expect(bench.frames.map(\.isKeyframe) == [true, false, false, false, true])
        #expect(bench.frames.map(\.presentationTime) == [0, 33, 66, 99, 132].map { .milliseconds($0) })
        let size = try #require(bench.sizes.first)
        #expect(size.width <= 720 && size.height <= 1280 && size.height > size.width)
        #expect(bench.sizes.allSatisfy { $0 == size } && bench.sessions.made.count == 1)
        // The parameter sets have the same size.
        let first = try #require(bench.frames.first)
        let sets = AnnexB.nalUnits(in: first.annexB.span.bytes).map { Array(first.annexB[$0]) }
        let parameters = sets.compactMap { H264SequenceParameters.parse(nal: $0.span.bytes) }.first
        #expect(parameters?.size == size)
    }

    @Test("no captured picture is held once it was taken, and of the scaler's few are") func bound() throws {
        let bench = Bench()
        for number in 0..<30 { #expect(try !bench.take(number * 33)) }
        #expect(bench.frames.count == 30)
        #expect(bench.transfers.most.withLock { $0 } <= 3)
        #expect(bench.transfers.pools.withLock { $0.count } == 1)
    }

    @Test("pictures of 60 a second are coded at 30") func rate() throws {
        let bench = Bench()
        for number in 0..<60 { try bench.take(number * 1000 / 60) }
        #expect(bench.frames.count == 30)
        #expect(try bench.its.drops[.overRate] == 30)
    }

    @Test("what the app wants is kept to: a lower rate in place, a smaller picture by a keyframe") func wishes() throws
    {
        let bench = Bench()
        try bench.take(0)
        #expect(bench.sessions.bitrate == 4_000_000)
        try bench.its.keep(to: 1_500_000, largest: nil)
        try bench.take(33)
        #expect(bench.sessions.bitrate == 1_500_000 && bench.sessions.made.count == 1)
        try bench.its.keep(to: nil, largest: PixelSize(width: 640, height: 360))
        try bench.take(66)
        #expect(bench.frames.map(\.isKeyframe) == [true, false, true])
        let size = try #require(bench.sizes.last)
        #expect(size.width <= 360 && size.height <= 640 && bench.sessions.bitrate == 4_000_000)
    }

    @Test("short memory makes it smaller and lower in two steps, and no more") func lessens() throws {
        let bench = Bench()
        var areas: [Int] = []
        for number in 0..<4 {
            try bench.take(number * 33)
            areas.append(try #require(bench.sizes.last).area)
            try bench.its.lessen()
        }
        #expect(areas[0] > areas[1] && areas[1] > areas[2] && areas[2] == areas[3])
        #expect(bench.sessions.bitrate == 1_000_000)
    }

    @Test("a picture that fails is counted, and the keyframe that it was to be comes next") func failure() throws {
        let bench = Bench()
        try bench.take(0)
        try bench.its.requestKeyframe()
        bench.sessions.failNext()
        try bench.take(33)
        #expect(try bench.its.drops[.failed] == 1)
        try bench.take(66)
        #expect(bench.frames.map(\.isKeyframe) == [true, true])
    }
}
