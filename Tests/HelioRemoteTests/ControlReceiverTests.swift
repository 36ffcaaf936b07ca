import HelioControlWire
import HelioCore
import HelioRemote
import Testing

struct ControlReceiverTests {
    private static let start = Instant(nanoseconds: 5_000_000_000)

    private static func receiver(first: UInt32 = 0) -> ControlReceiver {
        var configuration = ControlReceiver.Configuration()
        configuration.firstSequence = first
        return ControlReceiver(mapper: CoordinateMapper(size: PixelSize(width: 100, height: 50)), configuration)
    }

    private static func input(
        _ first: UInt32, _ actions: [ControlEvent.Action], motion: ControlInput.Motion? = nil
    ) -> ControlReceiver.Input {
        .message(
            .input(
                ControlInput(
                    sentAt: 77, firstSequence: first, events: actions.map { ControlEvent($0, timestamp: 0) },
                    motion: motion)))
    }

    private static func move(_ sequence: UInt32, after: UInt32, x: Float) -> ControlInput.Motion? {
        NormalizedPoint(x: x, y: 0).map {
            ControlInput.Motion(sequence: sequence, after: after, event: ControlEvent(.pointerMove($0), timestamp: 0))
        }
    }

    private static func key(_ usage: UInt16, _ isDown: Bool) -> ControlEvent.Action {
        .key(usage: usage, modifiers: [], isDown: isDown)
    }

    private static func drain(
        _ receiver: inout ControlReceiver
    ) throws -> (
        injected: [InjectedInput], answers: [ControlMessage]
    ) {
        var injected: [InjectedInput] = []
        var answers: [ControlMessage] = []
        while let output = receiver.poll() {
            switch output {
            case .inject(let input): injected.append(input)
            case .requestControl, .handOver, .selectMonitor: Issue.record("nobody wished that")
            case .datagram(let bytes): answers.append(try ControlMessage(parsing: bytes.span.bytes))
            }
        }
        return (injected, answers)
    }

    @Test func twiceTheAgreedMovesASecondPass() throws {
        var receiver = Self.receiver()
        for number in 0..<1000 as Range<UInt32> {
            let motion = Self.move(number, after: 0, x: Float(number) / 1000)
            receiver.handle(Self.input(0, [], motion: motion), now: Self.start + .milliseconds(Int64(number)))
        }
        // A burst of a quarter of a second passes as well.
        let passed = try Self.drain(&receiver).injected.count
        #expect((240...272).contains(passed), "\(passed)")
        #expect(receiver.drops[.moveFlood] == 1000 - passed)
    }

    @Test(
        arguments: [
            0, 1, UInt32.max - 3, UInt32.max - 2, UInt32.max - 1, UInt32.max, 0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000,
        ] as [UInt32])
    func eventsHappenOnceAcrossTheWrap(first: UInt32) throws {
        var receiver = Self.receiver(first: first)
        let actions = (UInt16(4)..<10).map { Self.key($0, true) }
        receiver.handle(Self.input(first, Array(actions[0..<2])), now: Self.start)
        receiver.handle(Self.input(first, Array(actions[0..<3])), now: Self.start)
        receiver.handle(Self.input(first &+ 4, Array(actions[4..<6])), now: Self.start)
        receiver.handle(Self.input(first &+ 1, Array(actions[1..<6])), now: Self.start)
        receiver.handle(Self.input(first, Array(actions[0..<2])), now: Self.start)
        let (injected, answers) = try Self.drain(&receiver)
        #expect(injected == (UInt16(4)..<10).map { .key(usage: $0, isDown: true) })
        #expect(
            answers
                == [2, 3, 3, 6, 6].map { (count: UInt32) in
                    .acknowledgement(
                        ControlAcknowledgement(
                            nextEvent: first &+ count, nextMotion: first, echo: 77, eventsPerSecond: 120))
                })
        #expect(receiver.drops[.duplicateEvent] == 6)
        #expect(receiver.drops[.eventAfterGap] == 2)
    }

    @Test(arguments: [0, UInt32.max, UInt32.max - 1, 0x7FFF_FFFF] as [UInt32])
    func onlyTheNewestMotionCounts(first: UInt32) throws {
        var receiver = Self.receiver(first: first)
        for (sequence, x) in [(UInt32(0), Float(0.1)), (2, 0.3), (1, 0.2), (2, 0.3), (3, 0.4)] {
            let motion = Self.move(first &+ sequence, after: first, x: x)
            receiver.handle(Self.input(first, [], motion: motion), now: Self.start)
        }
        let injected = try Self.drain(&receiver).injected
        #expect(injected == [10, 30, 40].map { .movePointer(x: $0, y: 0) })
        #expect(receiver.drops[.oldMotion] == 2)
    }

    @Test func motionKeepsItsPlaceAmongEvents() throws {
        var receiver = Self.receiver()
        // Motion ahead of two events that precede it: it waits, unacknowledged.
        receiver.handle(Self.input(0, [], motion: Self.move(4, after: 2, x: 0.5)), now: Self.start)
        receiver.handle(Self.input(0, [], motion: Self.move(3, after: 2, x: 0.1)), now: Self.start)
        receiver.handle(Self.input(0, [Self.key(4, true)]), now: Self.start)
        var (injected, answers) = try Self.drain(&receiver)
        #expect(injected == [.key(usage: 4, isDown: true)])
        guard case .acknowledgement(let waiting)? = answers.last else { return #expect(Bool(false)) }
        #expect(waiting.nextMotion == 0)
        receiver.handle(Self.input(1, [Self.key(4, false)]), now: Self.start)
        (injected, answers) = try Self.drain(&receiver)
        #expect(injected == [.key(usage: 4, isDown: false), .movePointer(x: 50, y: 0)])
        guard case .acknowledgement(let done)? = answers.last else { return #expect(Bool(false)) }
        #expect(done.nextMotion == 5)
        // Older than an event that was already injected.
        receiver.handle(Self.input(2, [], motion: Self.move(9, after: 1, x: 0.9)), now: Self.start)
        #expect(try Self.drain(&receiver).injected.isEmpty)
        #expect(receiver.drops[.overtakenMotion] == 1)
        #expect(receiver.drops[.oldMotion] == 1)
    }

    @Test func relativeTotalsWrap() throws {
        var receiver = Self.receiver()
        let totals: [(Int32, Int32)] = [(5, -5), (.max, .min), (.min + 4, .max - 4), (.min + 4, .max - 4)]
        for (index, total) in totals.enumerated() {
            receiver.handle(
                Self.input(UInt32(index), [.relativeMotion(totalX: total.0, totalY: total.1)]), now: Self.start)
        }
        #expect(
            try Self.drain(&receiver).injected == [
                .movePointerBy(dx: 5, dy: -5), .movePointerBy(dx: Int(Int32.max) - 5, dy: Int(Int32.min) + 5),
                .movePointerBy(dx: 5, dy: -5),
            ])
    }

    enum Ending: CaseIterable { case releaseAll, viewerGone, bye, silence }

    @Test(arguments: Ending.allCases)
    func nothingStaysDown(ending: Ending) throws {
        var receiver = Self.receiver()
        let down = [Self.key(4, true), Self.key(5, true), .button(.right, isDown: true, at: nil), Self.key(4, false)]
        receiver.handle(Self.input(0, down), now: Self.start)
        #expect(receiver.deadline?.at == Self.start + .milliseconds(400))
        receiver.handle(.message(.keepAlive), now: Self.start + .seconds(1))
        receiver.tick(now: Self.start + .seconds(2))
        let injected = try Self.drain(&receiver).injected
        #expect(injected.count == 5 && injected.last == .stopRepeating)
        #expect(receiver.deadline?.at == Self.start + .seconds(3))
        switch ending {
        case .releaseAll: receiver.handle(Self.input(4, [.releaseAll]), now: Self.start + .seconds(1))
        case .viewerGone: receiver.handle(.viewerGone, now: Self.start)
        case .bye: receiver.handle(.message(.bye), now: Self.start)
        case .silence: receiver.tick(now: Self.start + .seconds(3))
        }
        #expect(
            try Self.drain(&receiver).injected == [.key(usage: 5, isDown: false), .button(.right, isDown: false)])
        #expect(receiver.deadline == nil)
        receiver.handle(Self.input(4, [.releaseAll, Self.key(6, true)]), now: Self.start + .seconds(4))
        let hasEnded = ending == .viewerGone || ending == .bye
        #expect(try Self.drain(&receiver).injected.isEmpty == hasEnded)
        #expect(receiver.drops[.afterEnd] == (hasEnded ? 1 : 0))
    }

    @Test("asking for control and handing it over arrive once each, in order, and nothing stays down", arguments: 1...8)
    func wishes(seed: UInt64) {
        var ends = TwoEnds(loss: 0.3, seed: seed)
        ends.act(.requestControl)
        ends.act(.key(usage: 4, modifiers: [], isDown: true))
        ends.act(.selectMonitor(id: "DP-1"))
        ends.act(.selectMonitor(id: ""))
        ends.act(.selectMonitor(id: String(repeating: "x", count: 65)))
        ends.act(.handOver)
        ends.run(until: ends.now + .seconds(60), stopWhenIdle: true)
        #expect(
            ends.wishes == [.requestControl, .selectMonitor("DP-1"), .handOver] && ends.sender.drops[.refusedWish] == 2)
        #expect(ends.inputs == [.key(usage: 4, isDown: true), .key(usage: 4, isDown: false)])
    }

    @Test func keyHeldForTenSecondsStaysDown() {
        var ends = TwoEnds(loss: 0.2, seed: 2)
        ends.act(.key(usage: 4, modifiers: [], isDown: true))
        ends.run(for: .seconds(10))
        #expect(ends.inputs.filter { $0 != .stopRepeating } == [.key(usage: 4, isDown: true)])
        ends.up.loss = 1
        ends.run(for: .seconds(3))
        #expect(
            ends.inputs.filter { $0 != .stopRepeating } == [
                .key(usage: 4, isDown: true), .key(usage: 4, isDown: false),
            ])
    }

    @Test("held keys are repeated no longer than the viewer is heard of, and again with the next press")
    func repeatingEnds() throws {
        var receiver = Self.receiver()
        receiver.handle(Self.input(0, [Self.key(0xE1, true), .button(.left, isDown: true, at: nil)]), now: Self.start)
        // Modifiers and buttons have no key repeat.
        #expect(receiver.deadline?.at == Self.start + .seconds(2))
        receiver.handle(Self.input(2, [.character("é", usage: 4)]), now: Self.start)
        _ = try Self.drain(&receiver)
        receiver.handle(.message(.keepAlive), now: Self.start + .milliseconds(300))
        receiver.tick(now: Self.start + .milliseconds(699))
        #expect(try Self.drain(&receiver).injected.isEmpty)
        receiver.tick(now: Self.start + .milliseconds(700))
        receiver.tick(now: Self.start + .milliseconds(701))
        #expect(try Self.drain(&receiver).injected == [.stopRepeating])
        receiver.handle(Self.input(3, [Self.key(5, true)]), now: Self.start + .milliseconds(900))
        #expect(receiver.deadline?.at == Self.start + .milliseconds(1300))
        receiver.tick(now: Self.start + .milliseconds(1300))
        #expect(try Self.drain(&receiver).injected == [.key(usage: 5, isDown: true), .stopRepeating])
        receiver.tick(now: Self.start + .milliseconds(2900))
        #expect(try Self.drain(&receiver).injected.count == 4)
    }

    @Test("a character goes down as itself, once, and up by its key")
    func characters() throws {
        var receiver = Self.receiver()
        receiver.handle(
            Self.input(
                0, [.character("é", usage: 4), .character("e", usage: 4), Self.key(4, true), Self.key(4, false)]),
            now: Self.start)
        #expect(
            try Self.drain(&receiver).injected == [.character("é", usage: 4), .key(usage: 4, isDown: false)])
        #expect(receiver.drops[.repeatedDown] == 2)
    }

    @Test("locks are set as they are told, and again before each press, as others may have switched them")
    func locks() throws {
        var receiver = Self.receiver()
        let locks = LockState(caps: true, num: false)
        receiver.handle(Self.input(0, [.locks(locks), Self.key(4, true)]), now: Self.start)
        #expect(
            try Self.drain(&receiver).injected == [.locks(locks), .locks(locks), .key(usage: 4, isDown: true)])
        receiver.handle(Self.input(2, [.releaseAll]), now: Self.start)
        _ = try Self.drain(&receiver)
        receiver.handle(Self.input(3, [Self.key(5, true), Self.key(6, true)]), now: Self.start)
        #expect(
            try Self.drain(&receiver).injected == [
                .locks(locks), .key(usage: 5, isDown: true), .locks(locks), .key(usage: 6, isDown: true),
            ])
        #expect(InjectedInput.locks(locks).isState && !InjectedInput.key(usage: 4, isDown: true).isState)
    }

    @Test("nothing is set while a lock's own key is down, nor before the viewer has told its locks")
    func locksChange() throws {
        var receiver = Self.receiver()
        let (off, on) = (LockState(caps: false, num: true), LockState(caps: true, num: true))
        receiver.handle(Self.input(0, [Self.key(4, true), Self.key(4, false)]), now: Self.start)
        #expect(try !Self.drain(&receiver).injected.contains(where: \.isState))
        // The host's locks are set to the viewer's, before the key toggles both.
        receiver.handle(Self.input(2, [.locks(off), Self.key(0x39, true), Self.key(5, true)]), now: Self.start)
        #expect(
            try Self.drain(&receiver).injected == [
                .locks(off), .locks(off), .key(usage: 0x39, isDown: true), .key(usage: 5, isDown: true),
            ])
        receiver.handle(
            Self.input(5, [.locks(on), Self.key(0x39, false), Self.key(6, true)]), now: Self.start)
        #expect(
            try Self.drain(&receiver).injected == [
                .locks(on), .key(usage: 0x39, isDown: false), .locks(on), .key(usage: 6, isDown: true),
            ])
        // A lock key released by `releaseAll` is up.
        receiver.handle(Self.input(8, [Self.key(0x53, true), .releaseAll, Self.key(7, true)]), now: Self.start)
        #expect(try Self.drain(&receiver).injected.suffix(2) == [.locks(on), .key(usage: 7, isDown: true)])
    }

    /// A thousand motions in one millisecond: few are injected, but all events are, and so is the last motion.
    @Test func floodLosesMovesOnly() throws {
        var receiver = Self.receiver()
        for index in 0..<UInt32(1000) {
            let motion = Self.move(index, after: index + 1, x: Float(index) / 1000)
            receiver.handle(Self.input(index, [.scroll(at: .center, dx: 0, dy: 1)], motion: motion), now: Self.start)
        }
        let (injected, answers) = try Self.drain(&receiver)
        let moves = injected.count { if case .movePointer = $0 { true } else { false } }
        #expect(moves == 31)
        #expect(injected.count - moves == 1000)
        #expect(receiver.drops[.moveFlood] == 969)
        guard case .acknowledgement(let last)? = answers.last else { return #expect(Bool(false)) }
        #expect(last.nextMotion == 31)
        receiver.handle(Self.input(1000, [], motion: Self.move(999, after: 1000, x: 1)), now: Self.start + .seconds(1))
        #expect(try Self.drain(&receiver).injected == [.movePointer(x: 99, y: 0)])
    }

    @Test("a touch comes with its pressure, and each phase in its place (rows 62, 63)")
    func touches() throws {
        var receiver = Self.receiver()
        receiver.handle(
            Self.input(
                0,
                [
                    .touch(.move, .center, pressure: 1), .touch(.up, .center, pressure: 1),
                    .touch(.down, .center, pressure: 0.5), .touch(.down, .center, pressure: 1),
                    .touch(.move, .center, pressure: 0.75), .touch(.up, .center, pressure: 0.25),
                    .touch(.down, .center, pressure: 1), .touch(.cancelled, .center, pressure: 0),
                ]), now: Self.start)
        let phases: [(TouchPhase, Float)] = [(.down, 0.5), (.move, 0.75), (.up, 0.25), (.down, 1), (.cancelled, 0)]
        #expect(
            try Self.drain(&receiver).injected
                == phases.map { InjectedInput.touch($0, x: 50, y: 25, pressure: $1) })
        #expect(receiver.drops[.strayTouch] == 1 && receiver.drops[.strayUp] == 1)
        #expect(receiver.drops[.repeatedDown] == 1)
    }

    @Test("a finger that is down is let go where it was when its viewer falls silent")
    func silentTouch() throws {
        var receiver = Self.receiver()
        receiver.handle(Self.input(0, [.touch(.down, .center, pressure: 1)]), now: Self.start)
        _ = try Self.drain(&receiver)
        receiver.tick(now: Self.start + .seconds(2))
        #expect(
            try Self.drain(&receiver).injected == [.touch(.cancelled, x: 50, y: 25, pressure: 0)])
        receiver.handle(Self.input(1, [.touch(.move, .center, pressure: 1)]), now: Self.start + .seconds(3))
        #expect(try Self.drain(&receiver).injected.isEmpty && receiver.drops[.strayTouch] == 1)
    }

    @Test func hostileMessagesAreCounted() throws {
        var receiver = Self.receiver()
        for bytes in [[], [0], [1], [9, 9], [UInt8](repeating: 1, count: 2000)] as [[UInt8]] {
            receiver.handle(.datagram(bytes), now: Self.start)
        }
        receiver.handle(.message(.pong(id: 0, t1: 0, t2: 0, t3: 0)), now: Self.start)
        receiver.handle(Self.input(0, [Self.key(4, false), Self.key(4, true), Self.key(4, true)]), now: Self.start)
        receiver.handle(Self.input(3, [.button(.left, isDown: false, at: nil)]), now: Self.start)
        #expect(try Self.drain(&receiver).injected == [.key(usage: 4, isDown: true)])
        #expect(receiver.drops[.malformed] == 5)
        #expect(receiver.drops[.unexpectedKind] == 1)
        #expect(receiver.drops[.strayUp] == 2)
        #expect(receiver.drops[.repeatedDown] == 1)
    }

    @Test func pingIsAnswered() throws {
        var receiver = Self.receiver()
        receiver.handle(.message(.ping(id: 3, t1: -9)), now: Self.start)
        #expect(try Self.drain(&receiver).answers == [.pong(id: 3, t1: -9, t2: 5_000_000, t3: 5_000_000)])
    }

    @Test func sizeMayChange() throws {
        var receiver = Self.receiver()
        receiver.mapper.size = PixelSize(width: 10, height: 10)
        receiver.handle(Self.input(0, [.pointerMove(.center)]), now: Self.start)
        #expect(try Self.drain(&receiver).injected == [.movePointer(x: 5, y: 5)])
    }
}
