import HelioCore
import HelioMedia
import HelioPicture
import Testing

@Suite("Which picture comes next")
struct PictureEngineTests {
    private static let full = PixelRect(PictureWorld.size)

    /// Returns a world with a viewer that has the first picture.
    private static func watched(
        isHardware: Bool = false, followsPath: Bool = false, _ change: (inout PictureWorld) -> Void = { _ in }
    ) -> PictureWorld {
        var world = PictureWorld(isHardware: isHardware, followsPath: followsPath)
        change(&world)
        #expect(world.order { $0.isWatched = true } == ["main 0 keyframe"])
        return world
    }

    @Test("nothing is captured while nobody watches; then everything, and after that what changes")
    func join() {
        var world = PictureWorld()
        #expect(world.change() == [])
        #expect(world.order { $0.isWatched = true } == ["main 0 keyframe"])
        #expect(world.change() == ["main 1"])
        #expect(world.order { $0.ask(KeyframeWish("a viewer joined", isJoin: true)) } == ["main 2 keyframe again"])
        #expect(world.order { $0.isWatched = false } == [])
        #expect(world.change() == [])
        #expect(world.order { $0.isWatched = true } == ["main 3"])
    }

    @Test("a loss is answered by a repair of what was last whole, once; where the encoder has none, by a keyframe")
    func loss() {
        for repairs in [true, false] {
            var world = Self.watched { $0.states[.main]?.repairs = repairs }
            #expect(world.change() == ["main 1"])
            let lost = { (orders: inout PictureOrders) in
                for since: UInt64 in [1, 0] { orders.ask(RepairWish(since: since, "lost")) }
            }
            #expect(world.order(lost) == [repairs ? "main 2 repair since 0 again" : "main 2 keyframe again"])
            #expect(world.change() == ["main 3"])
        }
    }

    @Test(
        "a keyframe that is coded aside is taken when it is complete, and what has changed since comes right behind it")
    func keyframeAside() {
        var world = Self.watched { $0.bytes = { $0.keyframe && $0.frameIndex != 0 ? 0 : 1000 } }
        world.states[.main]?.keyframeAside = .coding
        #expect(world.order { $0.ask(KeyframeWish("a newcomer")) } == ["main 1 keyframe again gives none"])
        #expect(world.change() == ["main 1"])
        #expect(world.complete(isBehind: true) == ["main 2 keyframe from aside", "main 3 again"])
    }

    @Test("a screen of another size: the encoder, the picture, and then everything as a keyframe")
    func sizeChange() {
        var world = Self.watched()
        let size = PixelSize(width: 320, height: 240)
        #expect(
            world.resize(to: size) == [
                "The display is 320x240 now.", "reconfigure main H264 320x240 at 60, 20.0 Mbit/s",
                "main is H264 320x240 at 60, 20.0 Mbit/s", "picture main 320x240", "main 1 keyframe",
            ])
    }

    @Test("a viewer whose path carries far less gets an encode of its own, with half the frames; it ends with it")
    func slowViewer() {
        var world = Self.watched()
        #expect(
            world.order { $0.second = .some(.megabits(1)) } == [
                "make encoder second H264 640x480 at 30, 1.0 Mbit/s", "second is H264 640x480 at 30, 1.0 Mbit/s",
                "picture second 640x480", "second 0 keyframe",
            ])
        let pictures = (1...6).map { _ in world.change() }
        #expect(pictures[0] == ["main 1", "second 1"], "the main one first")
        #expect(pictures.allSatisfy { $0.first?.hasPrefix("main") ?? false })
        #expect(pictures.count { $0.count == 1 } == 2)
        #expect(world.order { $0.second = .some(nil) } == ["close second"])
        #expect(
            world.order { $0.second = .some(.megabits(1)) }.last == "second 5 keyframe", "the indices go on")
    }

    @Test("a second encode that can't be had is told, and the main one goes on")
    func noSecond() {
        var world = Self.watched { $0.failsToMake = { _, _ in true } }
        #expect(
            world.order { $0.second = .some(.megabits(1)) } == [
                "make encoder second H264 640x480 at 30, 1.0 Mbit/s",
                "make fallback second H264 640x480 at 30, 1.0 Mbit/s", "close second", "encoder-failed",
                "There is no second encode for slow viewers: No.", "no second",
            ])
        #expect(world.change() == ["main 1"])
    }

    @Test("software that fails is started again with a keyframe; the third time in a row it ends")
    func fails() {
        var world = Self.watched { $0.failsToCode = { $0 == 1 } }
        #expect(
            world.change() == [
                "main 1 fails", "encoder-failed", "The encoder failed (No.); it was started again.",
                "make encoder main H264 640x480 at 60, 20.0 Mbit/s", "main 2 keyframe again",
            ])
        #expect(world.change() == ["main 3"])
        world.failsToCode = { $0 > 3 }
        let lines = (1...3).flatMap { _ in world.change() }
        #expect(lines.count { $0 == "encoder-failed" } == 3)
        #expect(lines.contains("ends: No."))
    }

    @Test("hardware that fails gives way to software, which is told")
    func fallsBack() {
        var world = Self.watched(isHardware: true) { $0.failsToCode = { $0 == 1 } }
        #expect(
            world.change() == [
                "main 1 fails", "encoder-failed", "make fallback main H264 640x480 at 60, 20.0 Mbit/s",
                "hardware failed (No.); software codes from now on.", "H264 by software", "main 2 keyframe again",
            ])
        #expect(world.change() == ["main 3"])
    }

    @Test("another rate costs no keyframe: an encoder that can't take it as it runs gets it with the next one")
    func rate() {
        for isInPlace in [true, false] {
            var world = Self.watched { $0.states[.main]?.changesRatesInPlace = isInPlace }
            let change = ["reconfigure main H264 640x480 at 60, 5.0 Mbit/s", "main is H264 640x480 at 60, 5.0 Mbit/s"]
            #expect(world.order { $0.bitrate = .megabits(5) } == (isInPlace ? change : []))
            #expect(world.change() == ["main 1"])
            let keyframe = world.order { $0.ask(KeyframeWish("a newcomer")) }
            #expect(keyframe == (isInPlace ? [] : change) + ["main 2 keyframe again"])
        }
    }

    @Test("a rate that no encoder takes is refused once, and all stays as it is")
    func refused() {
        var world = Self.watched {
            $0.refuses = { _ in true }
            $0.failsToMake = { _, _ in true }
        }
        let lines = world.order { $0.bitrate = .megabits(5) }
        #expect(lines.count == 4 && lines[1] == "encoder-refused", "\(lines)")
        #expect(world.change() == ["main 1"])
        #expect(world.order { $0.bitrate = .megabits(5) } == [])
    }

    @Test(
        "a resting picture is refined step by step; a step that finds nothing is no frame, and a change comes before it"
    )
    func refinement() {
        var world = PictureWorld()
        world.states[.main]?.refinementSteps = 3
        world.states[.main]?.isSharp = false
        #expect(world.order { $0.isWatched = true } == ["main 0 keyframe"])
        #expect(world.rest(.milliseconds(100)) == [])
        #expect(world.rest(.milliseconds(150)) == ["main 1 refinement 1"])
        world.bytes = { $0.refinement > 0 ? 0 : 1000 }
        #expect(world.rest(.milliseconds(16)) == ["main 2 refinement 2 gives none"])
        #expect(world.change(Self.full) == ["main 2"])
    }
}
