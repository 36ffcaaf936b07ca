import HelioCore
import HelioMedia
import Testing

@Suite struct SendPacerTests {
    private func media(_ frame: UInt64, isKeyframe: Bool = false, bytes: Int = 1000) -> OutgoingPacket {
        OutgoingPacket(
            size: bytes, kind: .media(frame: frame, isKeyframe: isKeyframe), content: .copy(of: ExtendedSequence(0)))
    }

    private func drain(_ pacer: inout SendPacer) -> (packets: [OutgoingPacket.Kind], keyframes: Int) {
        var packets: [OutgoingPacket.Kind] = []
        var keyframes = 0
        while let output = pacer.poll() {
            switch output {
            case .send(let packet, _): packets.append(packet.kind)
            case .pad, .cut: break
            case .dropped: keyframes += 1
            }
        }
        return (packets, keyframes)
    }

    @Test func normalFramesLeaveInTheirInstant() {
        // 8 Mbit/s at 60 a second: 17 packets of 1000 bytes, on a path that carries more.
        var pacer = SendPacer(rate: .megabits(40))
        for frame in 0..<600 as Range<UInt64> {
            let now = Instant.zero + .microseconds(16_667 * Int64(frame))
            for _ in 0..<17 { pacer.handle(media(frame), now: now) }
            let sent = drain(&pacer).packets.count
            #expect(sent == 17)
            #expect(pacer.deadline?.at == nil)
        }
    }

    @Test("only what there is room for leaves; the rest waits for more room, and is dropped by whole frames when stale")
    func room() {
        var pacer = SendPacer(rate: .megabits(40))
        pacer.room = 2500
        for _ in 0..<10 { pacer.handle(media(0, isKeyframe: true), now: .zero) }
        #expect(drain(&pacer).packets.count == 3)
        // Time alone does not release the packets, so there is no deadline.
        #expect(pacer.deadline?.at == nil)
        pacer.tick(now: .zero + .milliseconds(10))
        #expect(drain(&pacer).packets.isEmpty && pacer.queuedBytes == 7000)
        pacer.room = 2000
        #expect(pacer.deadline != nil)
        pacer.tick(now: .zero + .milliseconds(11))
        #expect(drain(&pacer).packets.count == 2)
        // 150 ms at this rate are 750 kB: later frames find the queue full.
        for frame in UInt64(1)...200 {
            for _ in 0..<10 { pacer.handle(media(frame), now: .zero + .milliseconds(16 * Int64(frame))) }
        }
        #expect(drain(&pacer).packets.isEmpty)
        #expect(pacer.queuedBytes < 800_000 && pacer.droppedFrames > 100)
        pacer.room = nil
        pacer.tick(now: .zero + .seconds(5))
        #expect(!drain(&pacer).packets.isEmpty)
    }

    @Test func aKeyframeIsSpreadAtTheRate() {
        var pacer = SendPacer(rate: .megabits(40))
        for _ in 0..<300 { pacer.handle(media(0, isKeyframe: true), now: .zero) }
        var sent = drain(&pacer).packets.count
        #expect(sent == 25)
        var now = Instant.zero
        var largest = 0
        while let deadline = pacer.deadline {
            #expect(deadline.at > now)
            now = deadline.at
            pacer.tick(now: now)
            let burst = drain(&pacer).packets.count
            #expect(burst > 0)
            largest = max(largest, burst)
            sent += burst
        }
        #expect(sent == 300)
        #expect(largest == 1)
        // 275 packets of 8000 bits at 40 Mbit/s.
        #expect(abs((now - .zero).milliseconds - 55) < 1)
    }

    @Test func controlGoesFirstAndMissingPacketsNext() {
        var pacer = SendPacer(rate: .megabits(8))
        for _ in 0..<200 { pacer.handle(media(0, isKeyframe: true), now: .zero) }
        _ = drain(&pacer)
        pacer.handle(
            OutgoingPacket(size: 2, kind: .retransmission, content: .copy(of: ExtendedSequence(0))), now: .zero)
        pacer.handle(OutgoingPacket(size: 1, kind: .control, content: .copy(of: ExtendedSequence(0))), now: .zero)
        #expect(drain(&pacer).packets == [.control])
        pacer.tick(now: .zero + .milliseconds(1))
        #expect(drain(&pacer).packets.first == .retransmission)
    }

    @Test func aStaleQueueGoesWholeAndAsksForAKeyframe() {
        var pacer = SendPacer(rate: .megabits(8))
        // 1 MB a second may leave, and 5 ms of it at once.
        for frame in 0..<3 as Range<UInt64> {
            for _ in 0..<60 { pacer.handle(media(frame), now: .zero) }
        }
        #expect(drain(&pacer).keyframes == 0)
        #expect(pacer.queueDelay > .milliseconds(150))
        pacer.handle(media(3), now: .zero)
        #expect(drain(&pacer).keyframes == 1)
        // Frame 0 had started to be sent, and is completed.
        #expect(pacer.droppedFrames == 3)
        #expect(pacer.drops[.stale] == 120)
        // Until a keyframe arrives no frames are accepted, and it is not requested again.
        var left = 0
        for frame in 4..<10 as Range<UInt64> {
            pacer.handle(media(frame), now: .zero + .milliseconds(Int(frame) * 30))
            let output = drain(&pacer)
            #expect(output.packets.allSatisfy { $0 == .media(frame: 0, isKeyframe: false) } && output.keyframes == 0)
            left += output.packets.count
        }
        while let due = pacer.deadline {
            pacer.tick(now: due.at)
            left += drain(&pacer).packets.count
        }
        #expect(left == 55 && pacer.queuedBytes == 0)
        pacer.handle(media(10, isKeyframe: true), now: .zero + .milliseconds(350))
        pacer.handle(media(11), now: .zero + .milliseconds(360))
        #expect(drain(&pacer).packets == [.media(frame: 10, isKeyframe: true), .media(frame: 11, isKeyframe: false)])
    }

    @Test func aLargeKeyframeIsNotDroppedForWhatFollowsIt() {
        var pacer = SendPacer(rate: .megabits(8))
        for _ in 0..<1000 { pacer.handle(media(0, isKeyframe: true), now: .zero) }
        pacer.handle(media(1), now: .zero + .milliseconds(16))
        #expect(pacer.drops.total == 0)
        #expect(pacer.queueDelay > .milliseconds(900))
    }

    @Test func noMoreWaitsThanAllowed() {
        var configuration = SendPacer.Configuration()
        configuration.mostBytes = 100_000
        var pacer = SendPacer(rate: .megabits(8), configuration: configuration)
        for _ in 0..<1000 { pacer.handle(media(0, isKeyframe: true), now: .zero) }
        #expect(pacer.queuedBytes <= 100_000)
        #expect(pacer.drops[.overflow] > 0)
        #expect(drain(&pacer).keyframes == 1)
    }

    @Test func retransmissionsWaitWithinTheSameBound() {
        var configuration = SendPacer.Configuration()
        configuration.mostBytes = 100_000
        configuration.longestRepair = .seconds(10)
        var pacer = SendPacer(rate: .megabits(8), configuration: configuration)
        for _ in 0..<1000 {
            pacer.handle(
                OutgoingPacket(size: 1000, kind: .retransmission, content: .copy(of: ExtendedSequence(0))), now: .zero)
        }
        #expect(pacer.queuedBytes <= 100_000)
        #expect(pacer.drops[.overflow] > 800)
    }

    @Test func aRestBuysOneBurstAndNoMore() {
        // 5 ms at 8 Mbit/s.
        var pacer = SendPacer(rate: .megabits(8))
        for start in [Duration.zero, .seconds(10)] {
            for _ in 0..<150 { pacer.handle(media(start == .zero ? 0 : 1), now: .zero + start) }
            #expect((5...6).contains(drain(&pacer).packets.count))
            while let deadline = pacer.deadline {
                pacer.tick(now: deadline.at)
                _ = drain(&pacer)
            }
        }
    }

    @Test func hoursLeaveNothingBehind() {
        var pacer = SendPacer(rate: .megabits(8))
        var random = SeededGenerator(seed: 1)
        var now = Instant.zero
        var sent = 0
        var expected = 0
        for frame in 0..<50_000 as Range<UInt64> {
            while let deadline = pacer.deadline, deadline.at <= now {
                pacer.tick(now: deadline.at)
                sent += drain(&pacer).packets.count
            }
            let packets = frame % 1000 == 0 ? 120 : 1 + Int(random.next() % 4)
            for _ in 0..<packets { pacer.handle(media(frame, isKeyframe: frame % 1000 == 0), now: now) }
            expected += packets
            sent += drain(&pacer).packets.count
            now = now + .milliseconds(100)
        }
        while let deadline = pacer.deadline {
            pacer.tick(now: deadline.at)
            sent += drain(&pacer).packets.count
        }
        #expect(sent == expected)
        #expect(pacer.queuedBytes == 0)
        #expect(pacer.drops.total == 0)
    }

    @Test func aRetransmissionThatWouldComeTooLateIsDropped() {
        var pacer = SendPacer(rate: .megabits(8))
        for _ in 0..<1000 {
            pacer.handle(
                OutgoingPacket(size: 1000, kind: .retransmission, content: .copy(of: ExtendedSequence(0))), now: .zero)
        }
        // A byte per microsecond: 100 ms are queued, and 5 ms were sent.
        #expect(abs(drain(&pacer).packets.count - 5) <= 1 && abs(pacer.queuedBytes - 100_000) <= 2000)
        #expect(pacer.drops[.stale] > 800)
    }

    @Test func aProbeTakesWhatWaitsAndPadsTheRest() {
        var pacer = SendPacer(rate: .megabits(1))
        for _ in 0..<10 { pacer.handle(media(0), now: .zero) }
        _ = drain(&pacer)
        pacer.begin(Probe(id: 7, rate: .megabits(8), bytes: 15_000, packets: 5), largestPadding: 1000, now: .zero)
        var now = Instant.zero
        var sizes: [(size: Int, isPadding: Bool)] = []
        while now <= .zero + .milliseconds(20) {
            while let output = pacer.poll() {
                switch output {
                case .send(let packet, let probe):
                    #expect(probe == 7)
                    sizes.append((packet.size, false))
                case .pad(let size, let probe):
                    #expect(probe == 7)
                    sizes.append((size, true))
                case .dropped, .cut: break
                }
            }
            guard let due = pacer.deadline else { break }
            now = due.at
            pacer.tick(now: now)
        }
        #expect(sizes.prefix { !$0.isPadding }.count >= 7)
        #expect(sizes.contains { $0.isPadding })
        #expect((15_000...16_000).contains(sizes.reduce(0) { $0 + $1.size }))
        // 15 kB at a byte per microsecond.
        #expect(abs((now - .zero).milliseconds - 15) <= 1.5)
    }

    @Test func whatWaitsIsDroppedButForWhatHasBegun() {
        var pacer = SendPacer(rate: .megabits(8))
        for frame in 0..<3 as Range<UInt64> {
            for _ in 0..<10 { pacer.handle(media(frame), now: .zero) }
        }
        let begun = drain(&pacer).packets.count
        #expect((1..<10).contains(begun))
        pacer.dropWaiting()
        #expect(pacer.queuedBytes == (10 - begun) * 1000)
        // A frame that refers to no earlier one follows.
        pacer.handle(media(1 << 40), now: .zero)
        #expect(pacer.queuedBytes == (11 - begun) * 1000 && drain(&pacer).keyframes == 0)
    }
}
