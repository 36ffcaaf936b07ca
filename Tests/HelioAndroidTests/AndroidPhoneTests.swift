import HelioAndroid
import HelioCore
import HelioPhoneWire
import Testing

@Suite("A phone behind adb")
struct AndroidPhoneTests {
    @Test("from nothing to the first picture, without waiting") func start() {
        let run = PhoneRun()
        #expect(
            run.events.first
                == .ready(
                    serial: "PHONE", model: "Fake", screen: PixelSize(width: 1080, height: 2400),
                    encoders: [
                        "hard: H264, hardware, up to 4096x4096 and 50 Mbit/s, multiples of 2x2",
                        "soft: H264, software, up to 1920x1920 and 50 Mbit/s, multiples of 2x2",
                    ]))
        #expect(run.sizes == [PixelSize(width: 1080, height: 2400)])
        // The keyframe has the parameter sets before it.
        #expect(run.pictures.map(\.annexB) == [[0, 0, 0, 1, 0x67, 1, 0, 0, 0, 1, 0x65, 1]])
        #expect(run.phone.pushed.starts(with: Array("SEND".utf8)))
        #expect(run.phone.token.count == PhoneWire.tokenSize)
        // The token is in no command.
        #expect(!run.phone.commands.contains { $0.contains(Hexadecimal.text(run.phone.token)) })
    }

    @Test("a server that is there is not written again") func pushOnce() {
        var phone = FakePhone()
        phone.fileSize = 3
        let run = PhoneRun(phone)
        #expect(run.phone.pushed.isEmpty && run.pictures.count == 1)
    }

    @Test("adb's server is started if it is absent") func startsServer() {
        var phone = FakePhone()
        phone.isServerThere = false
        #expect(PhoneRun(phone).pictures.count == 1)
        phone.startServerFails = .noProgram
        #expect(PhoneRun(phone).failure == .noProgram)
    }

    @Test(
        "each trouble before the first picture",
        arguments: [
            ("", AndroidTrouble.noPhone), ("A\tunauthorized\n", .unauthorized("A")), ("A\toffline\n", .offline("A")),
            ("A\tno permissions (user); see [x]\n", .noPermissions("A")),
            ("A\trecovery\n", .otherMode("A", "recovery")),
            ("A\tdevice\nB\tdevice\n", .severalPhones(["A", "B"])),
        ])
    func troubles(list: String, trouble: AndroidTrouble) {
        var phone = FakePhone()
        phone.list = list
        var run = PhoneRun(phone)
        run.pass(.seconds(61))
        #expect(run.failure == trouble)
        #expect(run.engine.deadline == nil)
        #expect(!trouble.error.message.isEmpty)
    }

    @Test("a phone that is allowed or plugged in meanwhile is shared") func allowed() {
        var phone = FakePhone()
        phone.list = "PHONE\tunauthorized\n"
        var run = PhoneRun(phone)
        run.pass(.seconds(30))
        #expect(run.waits == [.unauthorized("PHONE")] && run.failure == nil)
        run.give(run.phone.change(list: "PHONE\tdevice\n"))
        #expect(run.pictures.count == 1)
    }

    @Test("one of several phones is chosen by its serial number") func chosen() {
        var phone = FakePhone()
        phone.list = "A\tdevice\nPHONE\tdevice\n"
        #expect(PhoneRun(phone) { $0.serial = "PHONE" }.pictures.count == 1)
        var absent = PhoneRun(phone) { $0.serial = "C" }
        absent.pass(.seconds(4))
        #expect(absent.failure == .missing("C"))
    }

    @Test("an Android that is too old, an adb that is too old, a full phone") func refusals() {
        var phone = FakePhone()
        phone.sdk = "19"
        #expect(PhoneRun(phone).failure == .tooOld(19))
        phone = FakePhone()
        phone.version = "001a"
        #expect(PhoneRun(phone).failure == .strangeServer)
        phone = FakePhone()
        phone.pushFails = true
        #expect(PhoneRun(phone).failure == .pushFailed("full"))
    }

    @Test("a server that can't start is tried three times, and its words are told") func serverFails() {
        var phone = FakePhone()
        phone.startFails = "java.lang.NoSuchMethodError: createDisplay\n\tat android.view.Surface\n"
        var run = PhoneRun(phone)
        run.pass(.seconds(10))
        #expect(run.failure == .serverEnded("java.lang.NoSuchMethodError: createDisplay"))
    }

    @Test("nothing is captured while nobody watches") func unwatched() {
        var run = PhoneRun(isWatched: false)
        #expect(run.pictures.isEmpty && run.phone.encode == nil)
        run.give(.watched(true))
        #expect(run.pictures.count == 1)
        run.give(.watched(false))
        #expect(run.phone.orders.last == .stop(encode: 1))
        run.give(run.phone.picture(isKeyframe: false))
        #expect(run.pictures.count == 1 && run.engine.statistics.drops[.oldPicture] == 1)
        run.pass(.seconds(60))
        #expect(run.engine.statistics.encoders == 1)
        run.give(.watched(true))
        #expect(run.pictures.count == 2 && run.engine.statistics.encoders == 2)
    }

    @Test("refused encodings go down: plain, coarse, smaller, software") func ladder() {
        var phone = FakePhone()
        phone.refuses = { $0.name == "hard" ? .configure : nil }
        let run = PhoneRun(phone)
        let tried = run.phone.orders.compactMap { if case .encode(let encode) = $0 { encode } else { nil } }
        #expect(tried.first?.size == PixelSize(width: 1080, height: 2400) && tried.last?.name == "soft")
        #expect(tried[1].settings.count < tried[0].settings.count)
        #expect(tried[2].size == PixelSize(width: 1072, height: 2400))
        #expect(tried[3].size == PixelSize(width: 864, height: 1920))
        #expect(run.pictures.count == 1)
        phone.refuses = { _ in .configure }
        #expect(PhoneRun(phone).failure == .encodersRefused("no"))
        phone.refuses = { _ in nil }
        #expect(PhoneRun(phone) { $0.codecs = [.h265] }.failure == .noEncoder)
    }

    @Test("an encoder that fails while it runs is started again, then another one") func runFailures() {
        var run = PhoneRun()
        for number in 1...2 as ClosedRange<UInt8> {
            run.give(run.phone.report(.encodingFailed(encode: number, .running, "reset")))
            #expect(run.phone.encode?.settings.count ?? 0 > 4)
        }
        run.give(run.phone.report(.encodingFailed(encode: 3, .running, "reset")))
        #expect(run.phone.encode?.encode == 4 && run.phone.encode?.settings.count == 4)
        // A report of an earlier encoder changes nothing.
        run.give(run.phone.report(.encodingFailed(encode: 1, .running, "late")))
        #expect(run.phone.encode?.encode == 4)
    }

    @Test("a keyframe on a moving screen by a request alone") func keyframe() {
        var run = PhoneRun()
        run.give(.keyframe)
        #expect(run.pictures.count == 2 && run.engine.statistics.keyframesAsked == 1)
        // Many viewers at once cost one keyframe.
        for _ in 0..<50 { run.give(.keyframe) }
        run.pass(.milliseconds(100))
        #expect(run.engine.statistics.keyframesAsked == 2)
        run.pass(.seconds(5))
        #expect(run.engine.statistics.resurfaced == 0 && run.engine.statistics.encoders == 1)
    }

    @Test("a keyframe on a still screen: request, draw again, start anew") func stillKeyframe() {
        var phone = FakePhone()
        phone.moves = false
        var run = PhoneRun(phone)
        run.give(.keyframe)
        run.pass(.milliseconds(99))
        #expect(run.pictures.count == 1 && run.engine.statistics.resurfaced == 0)
        run.pass(.milliseconds(2))
        #expect(run.engine.statistics.resurfaced == 1)
        run.pass(.milliseconds(301))
        #expect(run.engine.statistics.restarted == 1 && run.pictures.count == 2)
        #expect(run.pictures.allSatisfy { $0.isKeyframe })
    }

    @Test("the bitrate changes while the encoder runs, small changes are left out") func bitrate() {
        var run = PhoneRun()
        func told(_ run: borrowing PhoneRun) -> [Int32] {
            run.phone.orders.compactMap {
                guard case .parameters(_, let settings) = $0, case .int(let value)? = settings.first?.value,
                    settings.first?.name == "video-bitrate"
                else { return nil }
                return value
            }
        }
        run.give(.bitrate(2_000_000))
        run.give(.bitrate(2_010_000))
        run.give(.bitrate(90_000_000))
        #expect(told(run) == [2_000_000, 8_000_000])
        #expect(run.engine.statistics.encoders == 1)
    }

    @Test("rotation starts an encoder of the other shape, and cancels touches") func rotation() {
        var run = PhoneRun()
        run.give(.input(.touch(finger: 0, .down, x: 0.5, y: 0.5, pressure: 1)))
        run.give(run.phone.report(.display(PhoneDisplay(size: PixelSize(width: 2400, height: 1080), quarterTurns: 1))))
        #expect(run.sizes.last == PixelSize(width: 2400, height: 1080))
        #expect(run.phone.orders.contains { if case .touch(let touch) = $0 { touch.action == .cancel } else { false } })
        #expect(run.pictures.last?.isKeyframe == true)
        // The same display again changes nothing.
        run.give(run.phone.report(.display(PhoneDisplay(size: PixelSize(width: 2400, height: 1080), quarterTurns: 1))))
        #expect(run.engine.statistics.encoders == 2)
    }

    @Test("a smaller picture for viewers that need it, and the whole one again") func largest() {
        var run = PhoneRun()
        run.give(.largest(PixelSize(width: 540, height: 1200)))
        run.give(.largest(nil))
        #expect(run.sizes.map(\.width) == [1080, 540, 1080])
    }
}
