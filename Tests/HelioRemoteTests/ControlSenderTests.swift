import HelioControlWire
import HelioCore
import HelioRemote
import Testing

struct ControlSenderTests {
    private static let start = Instant(nanoseconds: 5_000_000_000)

    private static func key(_ usage: UInt16, _ isDown: Bool) -> ControlSender.Input {
        .event(.key(usage: usage, modifiers: [], isDown: isDown))
    }

    private static func inputs(_ sender: inout ControlSender) throws -> [ControlInput] {
        var result: [ControlInput] = []
        while case .datagram(let bytes)? = sender.poll() {
            if case .input(let input) = try ControlMessage(parsing: bytes.span.bytes) { result.append(input) }
        }
        return result
    }

    private static func acknowledgement(
        event: UInt32 = 0, motion: UInt32 = 0, sent: Instant = start, rate: UInt16 = 120
    ) -> ControlSender.Input {
        .acknowledged(
            ControlAcknowledgement(
                nextEvent: event, nextMotion: motion, echo: UInt32(truncatingIfNeeded: sent.microseconds),
                eventsPerSecond: rate))
    }

    @Test func downsAndUpsGoAtOnceAndUntilAcknowledged() throws {
        var sender = ControlSender()
        sender.handle(Self.key(4, true), now: Self.start)
        sender.handle(Self.key(4, false), now: Self.start)
        let first = try Self.inputs(&sender)
        #expect(first.map(\.events.count) == [1, 2])
        #expect(first.map(\.firstSequence) == [0, 0])
        #expect(sender.deadline?.at == Self.start + .milliseconds(50))
        sender.handle(Self.acknowledgement(event: 1), now: Self.start + .milliseconds(5))
        #expect(try Self.inputs(&sender).isEmpty)
        let due = sender.deadline
        let timeout = try #require(due)
        sender.tick(now: timeout.at)
        let again = try Self.inputs(&sender)
        #expect(again.map(\.firstSequence) == [1])
        #expect(again.first?.events == [first[1].events[1]])
        sender.handle(Self.acknowledgement(event: 2), now: timeout.at)
        let isIdle = sender.isIdle
        #expect(isIdle)
        #expect(sender.deadline == nil)
    }

    /// With 5 ms measured: 5 + 4 x 2.5 = 15 ms, then doubled up to the maximum.
    @Test func timeoutFollowsTheRoundTripAndBacksOff() throws {
        var sender = ControlSender()
        sender.handle(Self.key(4, true), now: Self.start)
        sender.handle(Self.acknowledgement(event: 1), now: Self.start + .milliseconds(5))
        var now = Self.start + .milliseconds(100)
        sender.handle(Self.key(4, false), now: now)
        for expected in [15, 30, 60, 120, 240, 250, 250] {
            let due = sender.deadline
            let deadline = try #require(due)
            #expect(deadline.at - now == .milliseconds(expected))
            now = deadline.at
            sender.tick(now: now)
        }
        sender.handle(Self.acknowledgement(event: 2, sent: now), now: now + .milliseconds(5))
        sender.handle(Self.key(4, true), now: now)
        let due = sender.deadline
        let deadline = try #require(due)
        #expect(deadline.at - now < .milliseconds(20))
    }

    @Test func timeoutIsNeverBelowTenMilliseconds() throws {
        var sender = ControlSender()
        sender.handle(Self.key(4, true), now: Self.start)
        sender.handle(Self.acknowledgement(event: 1), now: Self.start + .microseconds(100))
        sender.handle(Self.key(4, false), now: Self.start + .milliseconds(1))
        #expect(sender.deadline?.at == Self.start + .milliseconds(11))
    }

    /// A 240 Hz pointing device for one second: motions are no closer than the announced rate allows, and the newest is
    /// always sent.
    @Test(arguments: [UInt16(30), 120])
    func movesKeepToTheTargetsRate(rate: UInt16) {
        var host = ControlReceiver.Configuration()
        host.eventsPerSecond = rate
        var ends = TwoEnds(receiver: host)
        // The first answer contains the rate.
        ends.act(.scroll(dx: 0, dy: 1))
        ends.run(for: .milliseconds(100))
        let begin = ends.now
        for step in 1...240 {
            ends.act(.pointerMove(x: Float(step) / 240, y: 0))
            ends.run(for: .nanoseconds(1_000_000_000 / 240))
        }
        ends.run(for: .seconds(1))
        var firstSent: [UInt32: Instant] = [:]
        for (at, input) in ends.sent {
            if let motion = input.motion { firstSent[motion.sequence] = min(at, firstSent[motion.sequence] ?? at) }
        }
        let times = firstSent.values.sorted()
        #expect(times.first == begin)
        #expect((Int(rate) * 9 / 10...Int(rate) + 1).contains(times.count))
        let interval = Duration.nanoseconds(1_000_000_000 / Int64(rate))
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(later - earlier >= interval) }
        #expect(ends.inputs.last == .movePointer(x: 1919, y: 0))
        #expect(ends.sender.drops[.coalescedMove] == 240 - times.count)
    }

    @Test func heldBackMoveGoesAtTheNextSlot() throws {
        var configuration = ControlSender.Configuration()
        configuration.eventsPerSecond = 30
        var sender = ControlSender(configuration)
        sender.handle(.event(.pointerMove(x: 0, y: 0)), now: Self.start)
        #expect(try Self.inputs(&sender).count == 1)
        sender.handle(.event(.pointerMove(x: 0.5, y: 0)), now: Self.start + .milliseconds(1))
        sender.handle(.event(.pointerMove(x: 1, y: 0)), now: Self.start + .milliseconds(2))
        #expect(try Self.inputs(&sender).isEmpty)
        #expect(sender.drops[.coalescedMove] == 1)
        #expect(sender.deadline?.at == Self.start + .nanoseconds(33_333_333))
        #expect(sender.deadline?.why.description == "throttled move")
        sender.tick(now: Self.start + .nanoseconds(33_333_333))
        let point = try #require(NormalizedPoint(x: 1, y: 0))
        #expect(try Self.inputs(&sender).compactMap(\.motion?.event.action) == [.pointerMove(point)])
    }

    @Test func acknowledgedMoveIsNotRepeated() throws {
        var sender = ControlSender()
        sender.handle(.event(.pointerMove(x: 0, y: 0)), now: Self.start)
        sender.handle(Self.acknowledgement(motion: 1), now: Self.start + .milliseconds(5))
        #expect(sender.deadline == nil)
        sender.handle(Self.key(4, true), now: Self.start + .milliseconds(6))
        #expect(try Self.inputs(&sender).last?.events.count == 1)
    }

    @Test func blurReleasesAllThatIsDown() throws {
        var sender = ControlSender()
        for input in [Self.key(USBKeyboard.leftShift, true), Self.key(4, true)] {
            sender.handle(input, now: Self.start)
        }
        sender.handle(.event(.button(.right, isDown: true, x: 0.5, y: 0.5)), now: Self.start)
        sender.handle(.event(.touch(.down, x: 0.5, y: 0.5, pressure: 1)), now: Self.start)
        sender.handle(.event(.releaseAll), now: Self.start)
        let center = NormalizedPoint.center
        #expect(
            try Self.inputs(&sender).last?.events.dropFirst(4).map(\.action) == [
                .key(usage: 4, modifiers: .leftShift, isDown: false),
                .key(usage: USBKeyboard.leftShift, modifiers: .leftShift, isDown: false),
                .button(.right, isDown: false, at: center), .touch(.cancelled, center, pressure: 0), .releaseAll,
            ])
        sender.handle(Self.key(4, false), now: Self.start)
        #expect(sender.drops[.strayUp] == 1)
    }

    /// More events are queued than a datagram carries: unsent ones can't be acknowledged.
    @Test func onlyWhatWasSentIsAcknowledged() throws {
        var sender = ControlSender()
        for number in 0..<240 { sender.handle(Self.key(4, number % 2 == 0), now: Self.start) }
        let sent = try #require(try Self.inputs(&sender).map(\.events.count).max())
        try #require(sent < 200)
        sender.handle(Self.acknowledgement(event: UInt32(sent) + 1), now: Self.start)
        #expect(sender.drops[.falseAcknowledgement] == 1)
        sender.handle(Self.acknowledgement(event: UInt32(sent)), now: Self.start)
        #expect(sender.drops[.falseAcknowledgement] == 1)
        #expect(try Self.inputs(&sender).first?.firstSequence == UInt32(sent))
    }

    @Test func anEchoFromLongAgoTellsNothingOfThePath() throws {
        var sender = ControlSender()
        let later = Self.start + .seconds(3600)
        sender.handle(Self.key(4, true), now: later)
        sender.handle(Self.acknowledgement(event: 1, sent: Self.start), now: later)
        sender.handle(Self.key(4, false), now: later)
        #expect(sender.deadline?.at == later + .milliseconds(50))
    }

    @Test func silenceWhileHoldingIsFilled() throws {
        var sender = ControlSender()
        sender.handle(Self.key(4, true), now: Self.start)
        sender.handle(Self.acknowledgement(event: 1), now: Self.start + .milliseconds(5))
        _ = try Self.inputs(&sender)
        #expect(sender.deadline?.at == Self.start + .milliseconds(100))
        sender.tick(now: Self.start + .milliseconds(100))
        #expect(sender.poll() == .datagram(ControlMessage.keepAlive.serialised()))
        #expect(sender.deadline?.at == Self.start + .milliseconds(200))
    }

    /// Row by row, the drop policy of a full queue.
    @Test func fullQueueRefusesDownsButNeverUps() throws {
        var configuration = ControlSender.Configuration()
        configuration.capacity = 8
        var sender = ControlSender(configuration)
        for usage in UInt16(4)..<12 { sender.handle(Self.key(usage, true), now: Self.start) }
        sender.handle(Self.key(12, true), now: Self.start)
        sender.handle(.event(.button(.left, isDown: true, x: 0, y: 0)), now: Self.start)
        sender.handle(.event(.touch(.down, x: 0, y: 0, pressure: 0)), now: Self.start)
        sender.handle(.event(.scroll(dx: 0, dy: 1)), now: Self.start)
        sender.handle(.event(.text("x")), now: Self.start)
        sender.handle(Self.key(12, false), now: Self.start)
        #expect(sender.drops[.refusedDown] == 3)
        #expect(sender.drops[.refusedScroll] == 1)
        #expect(sender.drops[.refusedText] == 1)
        #expect(sender.drops[.strayUp] == 1)
        sender.handle(.event(.pointerMove(x: 1, y: 1)), now: Self.start)
        sender.handle(.event(.relativeMove(dx: 1, dy: 1)), now: Self.start)
        #expect(sender.drops[.refusedMove] == 1)
        for usage in UInt16(4)..<12 { sender.handle(Self.key(usage, false), now: Self.start) }
        let events = try #require(try Self.inputs(&sender).last?.events)
        #expect(events.count == 17)
        #expect(events[8].isMotion)
        #expect(
            events.suffix(8).map(\.action)
                == (UInt16(4)..<12).map { .key(usage: $0, modifiers: [], isDown: false) })
    }

    @Test func waitingScrollsCoalesceAndSaturate() throws {
        var sender = ControlSender()
        // Four texts and a scroll event fill the window.
        for _ in 0..<4 { sender.handle(.event(.text(String(repeating: "x", count: 256))), now: Self.start) }
        for _ in 0..<3 { sender.handle(.event(.scroll(dx: 20_000, dy: -1)), now: Self.start) }
        sender.handle(.event(.scroll(dx: 100_000, dy: 0)), now: Self.start)
        #expect(sender.drops[.coalescedScroll] == 0)
        _ = try Self.inputs(&sender)
        sender.handle(Self.acknowledgement(event: 4), now: Self.start)
        let saturated = ControlEvent.Action.scroll(at: .center, dx: 32_767, dy: 0)
        let scrolls = try #require(try Self.inputs(&sender).last?.events)
        #expect(scrolls.count == 4)
        #expect(scrolls.last?.action == saturated)
        sender.handle(Self.acknowledgement(event: 8), now: Self.start)
        for _ in 0..<4 { sender.handle(.event(.text(String(repeating: "x", count: 256))), now: Self.start) }
        for _ in 0..<3 { sender.handle(.event(.scroll(dx: 7, dy: -7)), now: Self.start) }
        sender.handle(.event(.text(String(repeating: "y", count: 256))), now: Self.start)
        for _ in 0..<3 { sender.handle(.event(.scroll(dx: 1, dy: -1)), now: Self.start) }
        #expect(sender.drops[.coalescedScroll] == 3)
    }

    @Test func datagramsStayWithinTheirSize() {
        var ends = TwoEnds(loss: 0.2, seed: 3)
        let text = String(repeating: "日本語", count: 1500)
        ends.act(.text(text))
        ends.act(.pointerMove(x: 0.1, y: 0.1))
        for usage in UInt16(4)..<100 { ends.act(.key(usage: usage, modifiers: [], isDown: true)) }
        for (_, input) in ends.sent { #expect(ControlMessage.input(input).serialised().count <= 1152) }
        ends.run(until: ends.now + .seconds(60), stopWhenIdle: true)
        var typed = ""
        for case .text(let piece) in ends.inputs {
            #expect(piece.utf8.count <= 256)
            typed += piece
        }
        #expect(typed == text)
        #expect(ends.inputs.count { if case .key = $0 { true } else { false } } == 96)
    }

    @Test func hostileInputIsCounted() throws {
        var sender = ControlSender()
        let now = Self.start
        sender.handle(.event(.pointerMove(x: .nan, y: 0)), now: now)
        sender.handle(.event(.pointerMove(x: 0, y: .infinity)), now: now)
        sender.handle(Self.key(0, true), now: now)
        sender.handle(Self.key(0xE8, true), now: now)
        sender.handle(.event(.touch(.move, x: 0, y: 0, pressure: 0)), now: now)
        sender.handle(.event(.touch(.cancelled, x: 0, y: 0, pressure: 0)), now: now)
        sender.handle(.event(.scroll(dx: 0, dy: 0)), now: now)
        sender.handle(.event(.text("")), now: now)
        #expect(try Self.inputs(&sender).isEmpty)
        sender.handle(Self.key(4, true), now: now)
        sender.handle(Self.key(4, true), now: now)
        for claim in [(UInt32(2), UInt32(0)), (0, 1), (0x7FFF_FFFF, 0), (1, 0x7FFF_FFFF)] {
            sender.handle(Self.acknowledgement(event: claim.0, motion: claim.1), now: now)
        }
        let isIdle = sender.isIdle
        #expect(!isIdle)
        #expect(sender.drops[.notFinite] == 2)
        #expect(sender.drops[.unknownKey] == 2)
        #expect(sender.drops[.strayTouch] == 2)
        #expect(sender.drops[.repeatedDown] == 1)
        #expect(sender.drops[.falseAcknowledgement] == 4)
        // Old acknowledgements do no harm.
        sender.handle(Self.acknowledgement(event: .max, motion: .max), now: now)
        #expect(sender.drops[.falseAcknowledgement] == 4)
        // A button event always has valid coordinates.
        sender.handle(.event(.button(.left, isDown: true, x: .nan, y: 7)), now: now)
        sender.handle(.event(.button(.left, isDown: false, x: -7, y: 7)), now: now)
        let corner = try #require(NormalizedPoint(x: 0, y: 1))
        #expect(
            try Self.inputs(&sender).last?.events.suffix(2).map(\.action) == [
                .button(.left, isDown: true, at: .center), .button(.left, isDown: false, at: corner),
            ])
    }

    @Test func relativePointersButtonsHaveNoPlace() throws {
        var sender = ControlSender()
        sender.handle(.event(.relativeMove(dx: 5, dy: 5)), now: Self.start)
        sender.handle(.event(.button(.left, isDown: true, x: 0, y: 0)), now: Self.start)
        #expect(
            try Self.inputs(&sender).last?.events.map(\.action) == [
                .relativeMotion(totalX: 5, totalY: 5), .button(.left, isDown: true, at: nil),
            ])
    }

    @Test func inputReachesNoText() {
        #expect("\(InputEvent.text("geheim"))" == "text")
        #expect("\([InputEvent.key(usage: 4, modifiers: [], isDown: true)])" == "[key]")
        #expect("\(ControlReceiver.Output.inject(.text("geheim")))".contains("geheim") == false)
    }
}
