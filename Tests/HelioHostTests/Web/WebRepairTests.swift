import HelioCore
import HelioMedia
import HelioRemoteWire
import HelioSession
import HelioSimulation
import Testing

@testable import HelioHost

@Suite("A page that decodes the picture itself")
struct WebRepairTests {
    // MARK: The page's reports

    @Test("losses count from the message on that it decodes, each once and none that is older")
    func order() {
        let world = WebWorld()
        let browser = world.watch()
        func losses() -> Int? { world.host.statistics.viewers.first?.ownPicture?.losses }
        browser.does(.pictureLost(whole: 1, order: 1))
        browser.does(.pictureSeen(timestamp: 1, milliseconds: 1))
        #expect(world.drops["web-not-own-picture"] == 2 && losses() == nil)
        browser.does(.ownPicture(enabled: true, repairs: true))
        #expect(world.host.statistics.viewers.first?.ownPicture?.repairs == true)
        // Repeated on the reliable channel as well, and out of order.
        browser.does(.pictureLost(whole: 1, order: 5))
        browser.does(.pictureLost(whole: 1, order: 5), by: .control)
        browser.does(.pictureLost(whole: 1, order: 4))
        browser.does(.pictureLost(whole: nil, order: 6))
        #expect(losses() == 2 && world.drops["web-outdated-report"] == 2)
        // The order numbers continue after a pause of the page's own decoding.
        browser.does(.ownPicture(enabled: false, repairs: false))
        #expect(losses() == nil)
        browser.does(.pictureLost(whole: 1, order: 7))
        #expect(world.drops["web-not-own-picture"] == 3)
        browser.does(.ownPicture(enabled: true, repairs: false))
        browser.does(.pictureLost(whole: 1, order: 6))
        browser.does(.pictureLost(whole: 1, order: 8))
        #expect(losses() == 3 && world.drops["web-outdated-report"] == 3)
        #expect(browser.state == .watching && !browser.told.contains { $0.type == "error" })
    }

    @Test("what it has drawn is told in the statistics, and forgotten once the browser decodes again")
    func seen() {
        let world = WebWorld()
        let browser = world.watch()
        func delay() -> Duration? { world.host.statistics.viewers.first?.ownPicture?.drawDelay }
        browser.does(.ownPicture(enabled: true, repairs: false))
        #expect(delay() == nil)
        browser.does(.pictureSeen(timestamp: .max, milliseconds: 4.5))
        #expect(delay() == .microseconds(4500))
        // After the largest number, the numbers start again.
        browser.does(.pictureSeen(timestamp: 100, milliseconds: 6))
        browser.does(.pictureSeen(timestamp: .max, milliseconds: 9))
        #expect(delay() == .milliseconds(6) && world.drops["web-outdated-report"] == 1)
        browser.does(.ownPicture(enabled: false, repairs: false))
        #expect(world.host.statistics.viewers.first.map { $0.ownPicture == nil } == true)
        browser.does(.ownPicture(enabled: true, repairs: false))
        #expect(delay() == nil)
    }

    @Test("a storm of losses is dropped, and the rest of what it says is not")
    func storm() {
        let world = WebWorld()
        let browser = world.watch()
        browser.does(.ownPicture(enabled: true, repairs: true))
        for order in 0..<200 { browser.does(.pictureLost(whole: 1, order: UInt64(order))) }
        #expect(world.drops["web-control-too-many-losses"] == 150)
        _ = browser.takeTold()
        browser.does(.ping(id: 5))
        #expect(browser.takeTold() == [.pong(id: 5)])
        world.pass(.seconds(1))
        for order in 200..<300 { browser.does(.pictureLost(whole: 1, order: UInt64(order))) }
        #expect(world.drops["web-control-too-many-losses"] == 200)
        #expect(world.host.statistics.viewers.first?.ownPicture?.losses == 100)
    }

    @Test("it says so by the ordered channel, and losses by either")
    func channels() {
        let world = WebWorld()
        let browser = world.watch()
        browser.does(.ownPicture(enabled: true, repairs: true), by: .moves)
        #expect(world.drops["web-control-wrong-channel"] == 1)
        #expect(world.host.statistics.viewers.first.map { $0.ownPicture == nil } == true)
        browser.does(.ownPicture(enabled: true, repairs: true))
        browser.does(.pictureLost(whole: nil, order: 1), by: .control)
        browser.does(.pictureLost(whole: nil, order: 2), by: .moves)
        #expect(world.host.statistics.viewers.first?.ownPicture?.losses == 2)
        #expect(world.drops["web-control-wrong-channel"] == 1)
    }

    // MARK: Sent frames

    /// A page with an established connection that received some frames, the first of them a keyframe.
    private func watch(_ message: ViewerMessage?, knowsDependencies: Bool = true) throws -> SoundWorld {
        let world = try SoundWorld(sound: [], knowsDependencies: knowsDependencies)
        if let message { try world.does(message) }
        try world.run(for: .milliseconds(100))
        for index in 0..<5 {
            world.show(keyframe: index == 0)
            try world.run(for: .milliseconds(20))
        }
        // Longer than any minimum interval of keyframes.
        try world.run(for: .seconds(3))
        _ = world.takePictureWishes()
        return world
    }

    @Test("a loss is answered by a repair picture since the last whole frame, and by no keyframe")
    func repair() throws {
        let world = try watch(.ownPicture(enabled: true, repairs: true))
        let last = try #require(world.lastTimestamp)
        let frames = world.frames
        #expect(frames == 5)
        try world.does(.pictureLost(whole: last, order: 1), by: .moves)
        try world.run(for: .milliseconds(50))
        #expect(world.takePictureWishes() == ["repair since 4"])
        // Frames that refer to the lost ones are not sent; the repair picture and all frames after it are.
        world.show(keyframe: false)
        try world.run(for: .milliseconds(50))
        #expect(world.frames == frames)
        world.show(keyframe: false, repairsSince: 4)
        try world.run(for: .milliseconds(20))
        world.show(keyframe: false)
        try world.run(for: .seconds(2))
        #expect(world.frames == frames + 2)
        let wishes = world.takePictureWishes()
        #expect(wishes.filter { $0 != "repair since 4" } == [])
    }

    @Test("a repair picture for somebody else that reaches back less far does not help")
    func otherRepair() throws {
        let world = try watch(.ownPicture(enabled: true, repairs: true))
        let last = try #require(world.lastTimestamp)
        let frames = world.frames
        world.show(keyframe: false)
        try world.does(.pictureLost(whole: last, order: 1))
        try world.run(for: .milliseconds(50))
        let before = world.frames
        world.show(keyframe: false, repairsSince: 5)
        try world.run(for: .milliseconds(50))
        #expect(world.frames == before && before <= frames + 1)
        world.show(keyframe: false, repairsSince: 4)
        try world.run(for: .milliseconds(100))
        #expect(world.frames == before + 1)
    }

    @Test("where no repair comes, a keyframe is asked for after about a second")
    func hopeless() throws {
        let world = try watch(.ownPicture(enabled: true, repairs: true))
        let last = try #require(world.lastTimestamp)
        try world.does(.pictureLost(whole: last, order: 1))
        try world.run(for: .milliseconds(800))
        let early = world.takePictureWishes()
        #expect(early.count > 2 && early.allSatisfy { $0 == "repair since 4" }, "\(early)")
        try world.run(for: .seconds(2))
        #expect(world.takePictureWishes().contains("keyframe"))
    }

    private struct Loss {
        var repairs: Bool
        var knowsDependencies = true
        /// Maps the timestamp of the last received frame to the one reported as the last complete frame.
        var whole: (UInt32) -> UInt32?
    }

    @Test("a keyframe comes where no repair can, where all is lost, and where the frame is not known")
    func keyframe() throws {
        for loss in [
            Loss(repairs: false) { $0 }, Loss(repairs: false) { _ in nil }, Loss(repairs: true) { _ in nil },
            Loss(repairs: true) { $0 &+ 12_345 }, Loss(repairs: true, knowsDependencies: false) { $0 },
        ] {
            let world = try watch(
                .ownPicture(enabled: true, repairs: loss.repairs), knowsDependencies: loss.knowsDependencies)
            let last = try #require(world.lastTimestamp)
            try world.does(.pictureLost(whole: loss.whole(last), order: 1))
            try world.run(for: .milliseconds(300))
            #expect(world.takePictureWishes().contains("keyframe"), "\(loss)")
            let frames = world.frames
            world.show(keyframe: true)
            try world.run(for: .milliseconds(100))
            #expect(world.frames == frames + 1)
        }
    }

    @Test("who does not decode himself is not asked what he lost")
    func browserDecodes() throws {
        let world = try watch(nil)
        let last = try #require(world.lastTimestamp)
        try world.does(.pictureLost(whole: last, order: 1))
        try world.does(.pictureLost(whole: nil, order: 2))
        try world.run(for: .seconds(1))
        #expect(world.takePictureWishes().isEmpty)
        let frames = world.frames
        world.show(keyframe: false)
        try world.run(for: .milliseconds(20))
        world.show(keyframe: false, repairsSince: 3)
        try world.run(for: .milliseconds(100))
        #expect(world.frames == frames + 2)
    }

    @Test("to those who lost nothing a repair picture is one like any other")
    func others() {
        let world = WebWorld()
        let browsers = [world.watch(), world.watch(address: "10.0.0.8")]
        browsers[0].does(.ownPicture(enabled: true, repairs: true))
        var encoder = TestEncoder(seed: 1)
        for (isKeyframe, since) in [(true, nil), (false, nil), (false, 0), (false, nil)] as [(Bool, UInt64?)] {
            for slice in encoder.frame(keyframe: isKeyframe, repairsSince: since, now: world.now) {
                world.tell(.slice(slice))
            }
        }
        #expect(world.takeSlices().allSatisfy { $0.to == browsers.map(\.id) })
        #expect(world.host.statistics.viewers.map(\.framesSent) == [4, 4])
    }

    // MARK: When a repair picture is requested

    private static let wish = RepairWish(since: 3, "a test")
    private static func room(_ time: Int) -> Deadline { Deadline(at: .zero + .seconds(time), why: "a test") }

    /// Returns a stream that has sent a keyframe.
    private func begun(_ encoder: inout TestEncoder) -> WebPicture {
        var picture = WebPicture()
        show(&picture, &encoder, keyframe: true)
        return picture
    }

    private func show(
        _ picture: inout WebPicture, _ encoder: inout TestEncoder, keyframe: Bool = false, since: UInt64? = nil
    ) {
        for slice in encoder.frame(keyframe: keyframe, repairsSince: since, now: .zero) {
            let isTaken = picture.takes(slice, now: .zero)
            #expect(isTaken)
        }
    }

    /// Returns the stream's picture requests at a time when its path has room.
    private func tick(_ picture: inout WebPicture, at time: Int, overfull: Deadline? = nil) -> PictureWishes {
        picture.tick(overfull: overfull, now: .zero + .seconds(time))
    }

    private func lose(_ picture: inout WebPicture, _ wish: RepairWish = wish, overfull: Deadline? = nil) -> RepairWish?
    {
        picture.lost(wish, overfull: overfull)
    }

    @Test("a repair waits until a congested path has room, and the newest request counts")
    func held() {
        var encoder = TestEncoder(seed: 1)
        var picture = begun(&encoder)
        #expect(lose(&picture) == Self.wish && picture.deadline == nil)
        #expect(lose(&picture, overfull: Self.room(1)) == nil)
        let newer = RepairWish(since: 7, "a test")
        #expect(lose(&picture, newer, overfull: Self.room(2)) == nil)
        #expect(picture.deadline?.at == .zero + .seconds(2))
        #expect(tick(&picture, at: 1).isEmpty)
        #expect(tick(&picture, at: 2, overfull: Self.room(3)).isEmpty)
        #expect(picture.deadline?.at == .zero + .seconds(3))
        let wishes = tick(&picture, at: 3)
        #expect(wishes.repair == newer && wishes.keyframe == nil)
        #expect(picture.deadline == nil)
        #expect(tick(&picture, at: 9).isEmpty)
    }

    @Test("a picture that helps meanwhile ends the wait, others do not")
    func helped() {
        var encoder = TestEncoder(seed: 1)
        var picture = begun(&encoder)
        #expect(lose(&picture, overfull: Self.room(1)) == nil)
        show(&picture, &encoder)
        show(&picture, &encoder, since: 4)
        #expect(picture.deadline != nil)
        show(&picture, &encoder, since: 3)
        #expect(picture.deadline == nil)
        #expect(lose(&picture, overfull: Self.room(1)) == nil)
        show(&picture, &encoder, keyframe: true)
        #expect(picture.deadline == nil)
        #expect(tick(&picture, at: 2).isEmpty)
    }

    @Test("where a keyframe comes anyway no repair is asked for")
    func needless() {
        var encoder = TestEncoder(seed: 1)
        var fresh = WebPicture()
        #expect(lose(&fresh) == nil)
        var moved = begun(&encoder)
        #expect(lose(&moved, overfull: Self.room(1)) == nil)
        moved.changeEncode()
        #expect(moved.deadline == nil)
        #expect(lose(&moved) == nil)
        var slow = begun(&encoder)
        slow.setOnRefresh(true, now: .zero)
        #expect(lose(&slow, overfull: Self.room(1)) == nil)
        #expect(slow.deadline.map { $0.at > .zero + .seconds(1) } == true)
        var hidden = begun(&encoder)
        #expect(lose(&hidden, overfull: Self.room(5)) == nil)
        let wish = hidden.set(isWanted: false, now: .zero)
        #expect(wish == nil)
        #expect(tick(&hidden, at: 2).isEmpty)
        #expect(hidden.isPaused && hidden.deadline == nil)
        #expect(lose(&hidden) == nil)
    }
}
