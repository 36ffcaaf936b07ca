import HelioCore
import HelioUnattended
import Testing

@Suite("A service starts, stops and starts again")
struct SupervisionTests {
    private static func place(_ display: String, key: String = "k", extra: String? = nil) -> DesktopPlace {
        var environment = ["DISPLAY": display, "XAUTHORITY": key]
        environment["XDG_CURRENT_DESKTOP"] = extra
        return DesktopPlace(title: display, environment: environment)
    }

    private static func at(_ seconds: Int) -> Instant { .zero + .seconds(seconds) }

    @Test("it starts for a desktop, goes on while that is the same, and changes to another one after the first's end")
    func follows() {
        var service = Supervision()
        #expect(service.follow(nil, now: Self.at(0)) == nil && !service.isRunning)
        #expect(service.follow(Self.place(":0"), now: Self.at(1)) == .start(Self.place(":0")))
        // Variables that don't lead elsewhere may change.
        #expect(service.follow(Self.place(":0", extra: "XFCE"), now: Self.at(2)) == nil)
        #expect(service.follow(Self.place(":1"), now: Self.at(3)) == .stop)
        #expect(service.follow(Self.place(":1"), now: Self.at(4)) == nil && service.isRunning)
        #expect(service.ended(now: Self.at(5)) == .start(Self.place(":1")))
        #expect(service.follow(Self.place(":1", key: "new"), now: Self.at(6)) == .stop)
        #expect(service.ended(now: Self.at(7)) == .start(Self.place(":1", key: "new")))
        #expect(service.follow(nil, now: Self.at(8)) == .stop)
        #expect(service.ended(now: Self.at(9)) == nil && !service.isRunning)
        #expect(service.follow(Self.place(":0"), now: Self.at(10)) == .start(Self.place(":0")))
    }

    @Test("after crashes it waits 1, 2, 4 ... 60 seconds, and begins anew once it has run for a minute")
    func crashes() throws {
        var service = Supervision()
        var now = Instant.zero
        var waits: [Int64] = []
        #expect(service.follow(Self.place(":0"), now: now) != nil)
        for _ in 0..<9 {
            now = now + .seconds(3)
            #expect(service.ended(now: now) == nil && !service.isRunning)
            let start = try #require(service.startsAt)
            waits.append((start - now).components.seconds)
            #expect(service.follow(Self.place(":0"), now: start - .milliseconds(1)) == nil)
            now = start
            #expect(service.follow(Self.place(":0"), now: now) == .start(Self.place(":0")))
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        now = now + Supervision.goodTime
        #expect(service.ended(now: now) == nil)
        #expect(service.startsAt == now + .seconds(1))
    }

    @Test("a desktop that goes while it waits is not waited for")
    func goneWhileWaiting() {
        var service = Supervision()
        _ = service.follow(Self.place(":0"), now: Self.at(0))
        _ = service.ended(now: Self.at(1))
        #expect(service.startsAt == Self.at(2))
        #expect(service.follow(nil, now: Self.at(2)) == nil && service.startsAt == nil)
        #expect(service.follow(Self.place(":0"), now: Self.at(3)) == .start(Self.place(":0")))
    }

    @Test("a program that does not end when it is asked to is ended, again and again")
    func deaf() {
        var service = Supervision()
        _ = service.follow(Self.place(":0"), now: Self.at(0))
        #expect(service.follow(nil, now: Self.at(10)) == .stop)
        #expect(service.follow(Self.place(":1"), now: Self.at(14)) == nil)
        #expect(service.follow(Self.place(":1"), now: Self.at(15)) == .kill)
        #expect(service.follow(Self.place(":1"), now: Self.at(16)) == nil)
        #expect(service.follow(Self.place(":1"), now: Self.at(20)) == .kill)
        #expect(service.ended(now: Self.at(21)) == .start(Self.place(":1")))
    }

    @Test("once it is to end nothing starts any more")
    func end() {
        var service = Supervision()
        _ = service.follow(Self.place(":0"), now: Self.at(0))
        #expect(service.end(now: Self.at(1)) == .stop && service.isRunning)
        #expect(service.ended(now: Self.at(2)) == nil && !service.isRunning)
        #expect(service.follow(Self.place(":1"), now: Self.at(100)) == nil)
        var idle = Supervision()
        #expect(idle.end(now: Self.at(0)) == nil && !idle.isRunning)
    }
}
