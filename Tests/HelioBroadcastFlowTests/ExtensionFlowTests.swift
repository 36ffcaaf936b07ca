import HelioAppModels
import HelioAppleMedia
import HelioBroadcastFlow
import HelioCore
import Heliograph
import Synchronization
import Testing

/// The extension's states on virtual time, with a fake outlet.
struct ExtensionFlowTests {
    let group: Group
    let outlet = FakeOutlet()
    let flow: ExtensionFlow
    static let frame = EncodedFrame(annexB: [0, 0, 0, 1, 0x65], presentationTime: .zero, isKeyframe: true)

    init() throws {
        let (group, outlet) = (try Group(), outlet)
        self.group = group
        flow = ExtensionFlow(group.surroundings { outlet.fail($0) }, coder: outlet) { server, tell in
            outlet.open(server.map { "\($0.endpoint) \($0.key ?? "")" } ?? "relay", tell)
            return outlet
        }
    }

    private func tick(_ time: Duration) {
        group.wait(time)
        flow.tick()
    }

    @Test("it goes to the app: connected, asked, paused, ended") func relay() throws {
        try group.takeSocket()
        flow.perform(.open(setup: [:]))
        outlet.tell(.connected)
        outlet.tell(.wanted(bitrate: 900, largest: nil))
        outlet.tell(.keyframeNeeded)
        #expect(outlet.asked == ["open relay", "keyframe", "keep 900", "keyframe"])
        #expect(flow.takesPicture())
        flow.take(Self.frame, size: PixelSize(width: 2, height: 4))
        flow.take(SoundSamples([Float(0), 0], presentationTime: .zero), of: .microphone)
        flow.perform(.hold)
        #expect(!flow.takesPicture() && flow.drops == 1)
        flow.perform(.goOn)
        flow.perform(.close)
        #expect(outlet.asked == ["picture 2x4", "sound microphone", "keyframe", "finish 1.0 seconds"])
        flow.take(Self.frame, size: PixelSize(width: 2, height: 4))
        #expect(outlet.asked == [] && outlet.failed == [] && !flow.takesPicture())
    }

    @Test("it goes to the server that the app has stored, with its key") func server() {
        group.set("rtmps://live.example/app", for: BroadcastKeys.endpoint)
        group.set("k", for: BroadcastKeys.streamKey)
        flow.perform(.open(setup: [:]))
        #expect(outlet.asked == ["open rtmps://live.example/app k"])
        outlet.tell(.over("the key is wrong"))
        #expect(outlet.failed == [Phrase(.extServerRefused, "the key is wrong")])
        // The outlet itself reported the end: it is not waited for.
        #expect(outlet.asked == ["finish 0.0 seconds"])
    }

    @Test("nowhere to go is said at once") func nowhere() {
        flow.perform(.open(setup: [:]))
        #expect(outlet.failed == [Phrase(.extNoDestination)] && outlet.asked == [] && !flow.takesPicture())
    }

    @Test("an app that is gone may come again; after a while it is the end") func gone() throws {
        try group.takeSocket()
        flow.perform(.open(setup: [:]))
        outlet.tell(.connected)
        outlet.tell(.lost("closed"))
        tick(.seconds(9))
        outlet.tell(.connected)
        tick(.seconds(9))
        #expect(outlet.failed == [])
        outlet.tell(.lost("closed"))
        tick(.seconds(4))
        outlet.tell(.lost("closed"))
        tick(.seconds(6))
        #expect(outlet.failed == [Phrase(.extAppGone)])
    }

    @Test("an app that is not there though its socket is, is missed as soon") func neverThere() throws {
        try group.takeSocket()
        flow.perform(.open(setup: [:]))
        tick(.seconds(10))
        #expect(outlet.failed == [Phrase(.extAppGone)])
    }

    @Test("short memory makes pictures smaller, then stops them, and ends it in words before the system would")
    func memory() throws {
        try group.takeSocket()
        flow.perform(.open(setup: [:]))
        outlet.tell(.connected)
        _ = outlet.asked
        group.memory.withLock { $0 = BroadcastExtensionModel.tightMemory }
        #expect(!flow.takesPicture() && !flow.takesPicture())
        #expect(outlet.asked == ["lessen"])
        group.memory.withLock { $0 = BroadcastExtensionModel.relaxedMemory - 1 }
        #expect(flow.takesPicture() && outlet.asked == ["keyframe"])
        group.memory.withLock { $0 = BroadcastExtensionModel.lastMemory }
        #expect(!flow.takesPicture())
        #expect(outlet.failed == [Phrase(.extMemory)] && outlet.asked == ["finish 1.0 seconds"])
    }

    @Test("it beats while it lives, and the app reads that it has ended") func beats() async throws {
        try group.takeSocket()
        flow.perform(.open(setup: [:]))
        let first = try #require(group.folder.heartbeat)
        tick(.seconds(5))
        let second = try #require(group.folder.heartbeat)
        #expect(first != second)
        var model = BroadcastModel(endpoint: nil, now: .zero)
        model.handle(.heartbeat(first), now: .seconds(1))
        model.handle(.heartbeat(second), now: .seconds(6))
        #expect(model.screen.message == Phrase(.castLive))
        flow.perform(.close)
        model.handle(.heartbeat(group.folder.heartbeat), now: .seconds(7))
        #expect(model.screen.message == Phrase(.castEnded))
    }
}
