import HelioCore
import HelioPicture
import HelioSession
import Testing

@testable import Heliograph

@Suite("A second encode for viewers that are far slower than others")
struct SecondEncodeTests {
    private static func nothing(_ count: Int) -> [() -> Void] { Array(repeating: {}, count: count) }

    private func slices(_ world: PipelineWorld, _ encoding: EncodingID) -> [EncodedSlice] {
        world.submitted.filter { $0.encoding == encoding }
    }

    private func expectGapless(_ slices: [EncodedSlice], from first: UInt64) {
        #expect(slices.map(\.frameIndex) == slices.indices.map { first + UInt64($0) })
    }

    @Test("it has half the frames, keyframes and indices of its own, and the main one does not notice")
    func beside() {
        let world = PipelineWorld()
        world.repairs = true
        let begin = { world.controls.setSecond(.megabits(1)) }
        let lose = { world.controls.requestKeyframe("lost", of: .second) }
        let repair = {
            world.controls.requestRepair(since: EncodingID.second.firstFrameIndex + 1, reason: "lost", of: .second)
        }
        let end = { world.controls.setSecond(nil) }
        #expect(throws: Never.self) {
            try world.run(
                Self.nothing(10) + [begin] + Self.nothing(30) + [repair] + Self.nothing(30) + [lose]
                    + Self.nothing(30) + [end] + Self.nothing(20) + [begin] + Self.nothing(10))
        }
        let (main, second) = (slices(world, .main), slices(world, .second))
        expectGapless(main, from: 0)
        #expect(main.count >= 120 && main.count(where: \.isKeyframe) == 1)
        #expect(main.allSatisfy { $0.repairsSince == nil })
        expectGapless(second, from: EncodingID.second.firstFrameIndex)
        #expect(second.first?.isKeyframe ?? false)
        #expect(second.count(where: \.isKeyframe) == 3, "at both beginnings, and where it was asked for")
        #expect(second.count { $0.repairsSince != nil } == 1)
        #expect((40...80).contains(second.count), "\(second.count)")
        #expect(world.secondFormats.first?.framesPerSecond == 30)
        #expect(world.secondFormats.allSatisfy { $0.bitrate == .megabits(1) })
        #expect(world.secondFailures == 0 && world.troubles.isEmpty)
    }

    @Test("it follows its own path: the main one keeps its size")
    func ladder() throws {
        let world = PipelineWorld()
        (world.followsPath, world.cost) = (true, 40_000)
        try world.run(
            change: PixelRect(PipelineWorld.size),
            Self.nothing(150) + [{ world.controls.setSecond(.kilobits(300)) }] + Self.nothing(300))
        let last = try #require(world.secondFormats.last)
        #expect(last.size.height < PipelineWorld.size.height && last.framesPerSecond <= 30)
        #expect(world.formats.allSatisfy { $0.size == PipelineWorld.size && $0.bitrate == .megabits(20) })
        #expect(slices(world, .main).count(where: \.isKeyframe) == 1)
    }

    @Test("where no encoder is to be had, or no second picture, that is told, and the main one goes on")
    func failure() throws {
        for hasPictures in [true, false] {
            let world = PipelineWorld()
            world.fillsFurtherPictures = hasPictures
            world.faults.starts = [1, 2]
            try world.run(Self.nothing(5) + [{ world.controls.setSecond(.megabits(1)) }] + Self.nothing(5))
            #expect(world.secondFailures == 1 && world.troubles == [.failed] && world.notes.count == 1)
            #expect(slices(world, .second).isEmpty && slices(world, .main).count >= 10)
        }
    }

    @Test("one that fails as it codes ends, and the main one goes on")
    func fails() throws {
        let world = PipelineWorld()
        // The main encode's first seven pictures precede it.
        world.faults.pictures = [10]
        try world.run(Self.nothing(5) + [{ world.controls.setSecond(.megabits(1)) }] + Self.nothing(20))
        #expect(world.secondFailures + world.troubles.count(where: { $0 == .failed }) >= 1)
        expectGapless(slices(world, .second), from: EncodingID.second.firstFrameIndex)
        #expect(slices(world, .main).count >= 20)
    }
}
