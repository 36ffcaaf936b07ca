import HelioAndroid
import HelioCore
import HelioPhoneWire
import Testing

@Suite("Losses of a phone, and its input")
struct AndroidLossTests {
    @Test("the server on the phone is killed: shared again after a moment") func serverKilled() throws {
        var run = PhoneRun()
        run.give(.closed(try #require(run.phone.server), wasOpen: true))
        #expect(run.waits == [.lost])
        run.pass(.milliseconds(250))
        #expect(run.pictures.count == 2 && run.engine.statistics.connections == 2)
    }

    @Test("the phone is unplugged for an hour") func unplugged() {
        var run = PhoneRun()
        run.give(run.phone.change(list: ""))
        run.pass(.seconds(3600))
        #expect(run.waits == [.lost, .missing("PHONE")] && run.failure == nil)
        run.give(run.phone.change(list: "OTHER\tdevice\nPHONE\tdevice\n"))
        #expect(run.pictures.count == 2)
    }

    @Test("adb's server is killed: it is started, and the phone found again") func adbKilled() throws {
        var run = PhoneRun()
        run.phone.isServerThere = false
        run.give(.closed(try #require(run.phone.tracker), wasOpen: true))
        run.pass(.seconds(1))
        #expect(run.pictures.count == 2)
    }

    @Test("a phone that is silent for ten seconds is lost") func silent() {
        var run = PhoneRun()
        run.pass(.seconds(30))
        #expect(run.waits.isEmpty && run.engine.statistics.roundTrip == .zero)
        run.phone.answersPings = false
        run.pass(.seconds(15))
        #expect(run.waits == [.silent] && run.engine.statistics.connections == 2)
    }

    @Test("retries grow apart") func backoff() {
        var run = PhoneRun()
        run.phone.startFails = "killed\n"
        run.give(run.phone.server.map { .closed($0, wasOpen: true) })
        run.pass(.seconds(60))
        #expect((14...18).contains(run.phone.commands.filter { $0.contains("app_process") }.count))
        #expect(run.failure == nil)
    }

    @Test("junk of the phone ends the connection and is counted") func junk() throws {
        var run = PhoneRun()
        run.give(.received(try #require(run.phone.stream(.video)), [0xFF, 0, 0, 0, 0]))
        #expect(run.engine.statistics.drops[.malformed] == 1)
        run.pass(.seconds(1))
        #expect(run.pictures.count == 2)
        run.give(.received(try #require(run.phone.stream(.video)), PhoneReport.pong(1).serialised))
        #expect(run.engine.statistics.drops[.outOfPlace] == 1)
    }

    @Test("pictures are stamped by the shortest way, in order and never in the future") func times() {
        var run = PhoneRun()
        run.pass(.milliseconds(50))
        run.phone.time = 40_000
        run.give(run.phone.picture(isKeyframe: false))
        run.pass(.milliseconds(10))
        run.phone.time = 60_000
        run.give(run.phone.picture(isKeyframe: false))
        let times = run.pictures.map { $0.captured.nanoseconds / 1_000_000 }
        #expect(times == [0, 40, 60])
    }

    @Test("ten fingers, an eleventh, and their ends") func fingers() {
        var run = PhoneRun()
        for finger in 0...10 as ClosedRange<UInt8> {
            run.give(.input(.touch(finger: finger, .down, x: Double(finger) / 10, y: 0.5, pressure: 1)))
        }
        #expect(run.engine.statistics.drops[.strayTouch] == 1)
        run.give(.input(.touch(finger: 3, .up, x: 0.3, y: 0.5, pressure: 0)))
        let touches = run.phone.orders.compactMap { if case .touch(let touch) = $0 { touch } else { nil } }
        #expect(touches.first?.action == .down && touches[1].action == .pointerDown && touches[1].index == 1)
        #expect(touches[9].fingers.count == 10 && touches.last?.action == .pointerUp && touches.last?.index == 3)
        #expect(touches[5].fingers[5] == .init(id: 5, x: 540, y: 1200, pressure: 1))
        run.give(.input(.releaseAll))
        #expect(
            run.phone.orders.last.map { if case .touch(let touch) = $0 { touch.action == .cancel } else { false } }
                == true)
    }

    @Test("keys with modifiers, the pointer's buttons, text and its paste") func keys() {
        var run = PhoneRun()
        let before = run.phone.orders.count
        run.give(.input(.key(usage: 0xE1, isDown: true)))
        run.give(.input(.key(usage: 0x04, isDown: true)))
        run.give(.input(.releaseAll))
        run.give(.input(.button(.right, isDown: true, x: 0, y: 0)))
        run.give(.input(.text("hi")))
        run.give(.input(.text("né")))
        run.give(.input(.key(usage: 0xFFFF, isDown: true)))
        #expect(
            Array(run.phone.orders[before...]) == [
                .key(PhoneKey(isDown: true, code: 59, modifiers: 0x41)),
                .key(PhoneKey(isDown: true, code: 29, modifiers: 0x41)),
                .key(PhoneKey(isDown: false, code: 29, modifiers: 0x41)), .key(PhoneKey(isDown: false, code: 59)),
                .key(PhoneKey(isDown: true, code: 4)), .text("hi"), .setClipboard("né"),
                .key(PhoneKey(isDown: true, code: 279)), .key(PhoneKey(isDown: false, code: 279)),
            ])
        #expect(run.engine.statistics.drops[.unknownKey] == 1)
        // The phone's report of the host's own text is no news; another text is.
        run.give(run.phone.report(.clipboard("né")))
        run.give(run.phone.report(.clipboard("new")))
        #expect(run.events.filter { if case .clipboard = $0 { true } else { false } } == [.clipboard("new")])
    }

    @Test("refused input is explained once") func refusedInput() {
        var run = PhoneRun()
        for _ in 0..<3 { run.give(run.phone.report(.failed(.input, "SecurityException"))) }
        #expect(run.events.filter { if case .note = $0 { true } else { false } }.count == 1)
    }

    @Test("the end releases what is held, and closes everything") func end() {
        var run = PhoneRun()
        run.give(.input(.key(usage: 0x04, isDown: true)))
        run.give(.end)
        #expect(run.phone.orders.last == .key(PhoneKey(isDown: false, code: 29)))
        #expect(run.phone.tracker == nil && run.phone.server == nil && run.engine.deadline == nil)
    }

    @Test("nothing grows in an hour of pictures", arguments: [1, 2, 3] as [UInt64]) func bounded(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var run = PhoneRun()
        for _ in 0..<5000 {
            run.pass(.milliseconds(Int.random(in: 1...700, using: &random)))
            run.phone.time = run.now.microseconds
            switch Int.random(in: 0..<100, using: &random) {
            case 0: run.give(run.phone.server.map { .closed($0, wasOpen: true) })
            case 1: run.give(run.phone.tracker.map { .closed($0, wasOpen: true) })
            case 2: run.give(.watched(false))
            case 3...6: run.give(.watched(true))
            case 7...9: run.give(.keyframe)
            default: run.give(run.phone.picture(isKeyframe: false))
            }
            run.events.removeAll { if case .failed = $0 { false } else { true } }
            run.phone.orders = []
            run.phone.commands = []
        }
        #expect(run.failure == nil && run.engine.bufferedByteCount == 0)
    }
}
