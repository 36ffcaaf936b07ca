import HelioAppleMedia
import HelioCore
import Testing

@Suite("ReplayKit's samples and lives")
struct BroadcastTests {
    @Test("all three kinds of samples have a way; others are counted")
    func routes() {
        var life = BroadcastLife()
        #expect(life.route(type: 1, orientation: 1) == nil)
        #expect(life.started(setup: ["streamKey": "k"]) == .open(setup: ["streamKey": "k"]))
        #expect(life.route(type: 1, orientation: 6) == .video)
        #expect(life.turn == .quarter)
        #expect(life.route(type: 2, orientation: nil) == .appAudio)
        #expect(life.route(type: 3, orientation: nil) == .microphone)
        #expect(life.turn == .quarter)
        #expect(life.route(type: 4, orientation: nil) == nil)
        #expect(life.paused() == .hold)
        #expect(life.route(type: 2, orientation: nil) == nil)
        #expect(life.drops.byName == ["unknownType": 1, "paused": 1, "notRunning": 1])
    }

    @Test("a broadcast's calls are each taken once, in whatever order they come")
    func life() {
        var life = BroadcastLife()
        #expect(life.resumed() == nil)
        #expect(life.finished() == nil)
        #expect(life.started(setup: [:]) == .open(setup: [:]))
        #expect(life.started(setup: [:]) == nil)
        #expect(life.resumed() == nil)
        #expect(life.paused() == .hold)
        #expect(life.paused() == nil)
        #expect(life.resumed() == .goOn)
        #expect(life.finished() == .close)
        #expect(life.finished() == nil)
        #expect(life.route(type: 1, orientation: nil) == nil)
    }

    @Test(
        "a picture's attachment tells how it is turned upright",
        arguments: [
            (nil, .none), (1, .none), (2, .none), (3, .half), (6, .quarter), (8, .threeQuarters), (99, .none),
            (-1, .none),
        ] as [(Int?, PictureTurn)])
    func turns(orientation: Int?, turn: PictureTurn) {
        #expect(PictureTurn(orientation: orientation) == turn)
    }

    @Test("an app that is minimised stops recording, says so, and goes on when it is back")
    func recorder() {
        var life = RecorderLife()
        #expect(life.share() == [.start])
        #expect(life.share() == [])
        #expect(life.started(error: nil) == [])
        #expect(life.minimised() == [.stop, .tell(RecorderLife.awayMessage)])
        #expect(life.ended(error: "stopped") == [])
        #expect(life.returned() == [.start])
        #expect(life.started(error: "denied") == [.tell("Sharing could not start: denied")])
        #expect(life.returned() == [])
        #expect(life.state == .stopped)
    }

    @Test("a recorder that starts after nobody wants it any more is stopped")
    func late() {
        var life = RecorderLife()
        _ = life.share()
        #expect(life.unshare() == [.stop])
        #expect(life.started(error: nil) == [.stop])
        #expect(life.state == .stopped)
    }
}
