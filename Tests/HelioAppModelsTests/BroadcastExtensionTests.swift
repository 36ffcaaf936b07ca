import HelioAppModels
import Testing

/// The broadcast extension's states, from start to finish, on virtual time.
struct BroadcastExtensionTests {
    private func started(_ endpoint: String? = nil, hasApp: Bool = true) -> ExtensionLife {
        let model = ExtensionLife()
        model.handle(.started(hasApp: hasApp, endpoint: endpoint, key: "k"), now: .zero)
        return model
    }

    @Test func goesWhereTheAppHasSaid() {
        let model = started()
        #expect(model.effects() == [.openRelay, .beat(sequence: 0, isEnd: false)])
        let other = started("srt://live:9000")
        #expect(other.effects().first == .openServer(endpoint: "srt://live:9000", key: "k"))
    }

    @Test(arguments: ["http://x", "rtmp://", "rtmp:///app", "nonsense", "srt://a b"])
    func saysThatThereIsNoDestination(_ endpoint: String) {
        let model = started(endpoint)
        #expect(model.effects() == [.fail(Phrase(.extNoDestination))])
        #expect(!model.takesPicture())
    }

    @Test func needsTheAppWithoutAServer() {
        let model = started(hasApp: false)
        #expect(model.effects() == [.fail(Phrase(.extNoDestination))])
    }

    @Test func beatsEveryFiveSecondsAndEndsClean() {
        let model = started()
        _ = model.effects()
        #expect(model.deadline == .seconds(5))
        model.tick(now: .seconds(4))
        #expect(model.effects() == [])
        model.tick(now: .seconds(5))
        #expect(model.effects() == [.beat(sequence: 1, isEnd: false)])
        model.handle(.finished, now: .seconds(6))
        #expect(model.effects() == [.beat(sequence: 2, isEnd: true), .close])
        model.handle(.finished, now: .seconds(6))
        #expect(model.effects() == [] && model.deadline == nil)
    }

    @Test func pausesAndGoesOnWithAKeyframe() {
        let model = started()
        _ = model.effects()
        model.handle(.paused, now: .seconds(1))
        #expect(!model.takesPicture() && model.drops == 1)
        model.handle(.resumed, now: .seconds(2))
        #expect(model.effects() == [.keyframe] && model.takesPicture())
    }

    @Test func dropsPicturesWhileMemoryIsShort() {
        let model = started()
        _ = model.effects()
        model.handle(.memory(BroadcastExtensionModel.tightMemory), now: .zero)
        #expect(!model.takesPicture() && model.effects() == [.lessen])
        model.handle(.memory(BroadcastExtensionModel.tightMemory - 1), now: .zero)
        #expect(!model.takesPicture() && model.drops == 2)
        model.handle(.memory(BroadcastExtensionModel.relaxedMemory - 1), now: .zero)
        #expect(model.takesPicture() && model.effects() == [.keyframe])
    }

    @Test func endsInWordsBeforeTheSystemEndsIt() {
        let model = started()
        _ = model.effects()
        model.handle(.memory(BroadcastExtensionModel.lastMemory), now: .seconds(1))
        #expect(model.effects() == [.beat(sequence: 1, isEnd: true), .close, .fail(Phrase(.extMemory))])
        #expect(BroadcastExtensionModel.lastMemory < BroadcastExtensionModel.memoryLimit)
    }
}
