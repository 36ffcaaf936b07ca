import HelioCore
import HelioMedia
import HelioRTP
import Testing

@Suite struct JitterBufferTests {
    /// A stream, a buffer and virtual time; tests pass packets one at a time.
    private struct Bench {
        var stream: TestStream
        var buffer: JitterBuffer
        var extender = SequenceExtender()
        var now = Instant.zero + .seconds(10)

        init(
            codec: VideoCodec = .h264, firstSequence: UInt64 = 0x1_0000,
            change: (inout JitterBuffer.Configuration) -> Void = { _ in }
        ) {
            var configuration = JitterBuffer.Configuration(codec: codec)
            change(&configuration)
            stream = TestStream(codec: codec, firstSequence: firstSequence)
            buffer = JitterBuffer(configuration: configuration)
        }

        mutating func frame(isKeyframe: Bool = false, bytes: Int = 1000) -> [[UInt8]] {
            now = now + .milliseconds(16)
            return stream.next(isKeyframe: isKeyframe, bytes: bytes, now: now).map(\.bytes)
        }

        mutating func give(_ packets: [[UInt8]]) -> Outputs {
            for packet in packets {
                guard let opened = TestStream.open(packet, extender: &extender, arrival: now) else { continue }
                buffer.handle(.packet(opened), now: now)
            }
            return Outputs(draining: &buffer)
        }

        mutating func pass(_ duration: Duration) -> Outputs {
            let end = now + duration
            while let deadline = buffer.deadline, deadline.at <= end {
                now = max(now, deadline.at)
                buffer.tick(now: now)
            }
            now = end
            return Outputs(draining: &buffer)
        }
    }

    @Test(arguments: VideoCodec.allCases)
    func framesComeOutByteExactInTheInstantTheyAreWhole(codec: VideoCodec) {
        var bench = Bench(codec: codec)
        for number in 0..<200 as Range<UInt64> {
            let isKeyframe = number % 50 == 0
            var packets = bench.frame(isKeyframe: isKeyframe, bytes: 100 + Int(number) * 20)
            let last = packets.removeLast()
            let before = bench.give(packets)
            #expect(before.frames.isEmpty)
            let output = bench.give([last])
            #expect(output.frames.count == 1)
            guard let frame = output.frames.first else { return }
            #expect(
                frame.annexB
                    == TestStream.annexB(number, codec: codec, isKeyframe: isKeyframe, bytes: 100 + Int(number) * 20))
            #expect(frame.frameIndex == number)
            #expect(frame.isKeyframe == isKeyframe)
            #expect(frame.mediaTime == Int64(number) * 1500)
            #expect(frame.completed == bench.now)
            #expect(frame.sourceTiming?.captured == bench.now - .milliseconds(2))
            #expect(frame.sent == bench.now)
            #expect(output.nacks.isEmpty && output.keyframeRequests.isEmpty)
            #expect(bench.buffer.deadline?.at == nil)
        }
        #expect(bench.buffer.drops.total == 0)
        #expect(bench.buffer.statistics.lost == 0)
    }

    @Test(arguments: [0x1_0000, 0x1_0001, 0x1_7FF0, 0x1_7FFF, 0x1_8000, 0x1_FF00, 0x1_FFFE, 0x1_FFFF] as [UInt64])
    func theSequenceWrapsWithoutLoss(first: UInt64) {
        var bench = Bench(firstSequence: first)
        var frames = bench.give(bench.frame(isKeyframe: true)).frames.count
        for _ in 0..<400 { frames += bench.give(bench.frame()).frames.count }
        #expect(frames == 401)
        #expect(bench.buffer.statistics.lost == 0)
        #expect(bench.buffer.drops.total == 0)
    }

    @Test(arguments: [0x1_0000, 0x1_7FFD, 0x1_FFFB, 0x1_FFFF] as [UInt64], 0..<8)
    func anyOrderWithinAFrameIsPutRight(first: UInt64, seed: UInt64) {
        var bench = Bench(firstSequence: first)
        var random = SeededGenerator(seed: seed)
        for number in 0..<40 as Range<UInt64> {
            let packets = bench.frame(isKeyframe: number == 0).shuffled(using: &random)
            let output = bench.give(packets)
            #expect(output.frames.map(\.frameIndex) == [number])
            #expect(output.keyframeRequests.isEmpty)
        }
        #expect(bench.buffer.statistics.lost == 0)
        #expect(bench.buffer.statistics.reordered > 10)
    }

    @Test func theTimestampWraps() {
        var bench = Bench()
        bench.stream = TestStream(firstTimestamp: 0xFFFF_FFFF - 3000)
        var times = bench.give(bench.frame(isKeyframe: true)).frames.map(\.mediaTime)
        for _ in 0..<5 { times += bench.give(bench.frame()).frames.map(\.mediaTime) }
        let first: Int64 = 0xFFFF_FFFF - 3000
        let expected: [Int64] = (0..<6).map { first + $0 * 1500 }
        #expect(times == expected)
    }

    @Test func nothingLeavesBeforeTheFirstKeyframe() {
        var bench = Bench()
        var before = 0
        for _ in 0..<3 {
            let packets = bench.frame()
            before += packets.count
            #expect(bench.give(packets).frames.isEmpty)
        }
        let output = bench.give(bench.frame(isKeyframe: true))
        #expect(output.frames.map(\.isKeyframe) == [true])
        #expect(bench.buffer.drops[.awaitingKeyframe] == before)
    }

    @Test func aGapIsAskedForAtOnceAndRepeatedByRoundTrip() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        bench.buffer.handle(.roundTrip(.milliseconds(40)), now: bench.now)
        var packets = bench.frame()
        let lost = packets.remove(at: 1)
        let output = bench.give(packets)
        #expect(output.nacks.map(\.count) == [1])
        #expect(output.frames.isEmpty)
        #expect(bench.pass(.milliseconds(40)).nacks.isEmpty)
        #expect(bench.pass(.milliseconds(60)).nacks.count == 1)
        let filled = bench.give([lost])
        #expect(filled.frames.map(\.frameIndex) == [1])
        #expect(bench.buffer.statistics.recovered == 1)
        #expect(bench.buffer.statistics.lost == 1)
        #expect(bench.buffer.deadline?.at == nil || bench.pass(.seconds(1)).nacks.isEmpty)
    }

    /// A bench that requests a packet at most three times, and waits longer than that takes.
    private static func patientBench() -> Bench {
        var bench = Bench {
            $0.mostRequests = 3
            $0.longestWait = .seconds(1)
        }
        _ = bench.give(bench.frame(isKeyframe: true))
        bench.buffer.handle(.roundTrip(.milliseconds(40)), now: bench.now)
        return bench
    }

    @Test func onePacketIsAskedForSoOftenAndNoMore() {
        var bench = Self.patientBench()
        var packets = bench.frame()
        packets.remove(at: 1)
        let first = bench.give(packets).nacks.count
        // It waits for the time of eight requests.
        #expect(first + bench.pass(.milliseconds(390)).nacks.count == 3)
        #expect(bench.buffer.abandonments == 0)
    }

    @Test func anotherLossDoesNotAskForTheFirstAgain() {
        var bench = Self.patientBench()
        var asked: [UInt64: Int] = [:]
        for _ in 0..<4 {
            var packets = bench.frame()
            packets.remove(at: 1)
            let nacks = bench.give(packets).nacks + bench.pass(.milliseconds(150)).nacks
            for sequence in nacks.joined() { asked[sequence, default: 0] += 1 }
        }
        #expect(asked.count == 4 && asked.values.allSatisfy { $0 <= 3 }, "\(asked)")
    }

    @Test func lateReorderingBuysNoMoreThanHalfARoundTrip() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        bench.buffer.handle(.roundTrip(.milliseconds(40)), now: bench.now)
        var packets = bench.frame()
        packets.swapAt(1, 2)
        _ = bench.give(Array(packets[0...1]))
        // The reordered packet arrives before a response to the request could.
        bench.now = bench.now + .milliseconds(25)
        #expect(bench.give(Array(packets[2...])).frames.count == 1)
        #expect(bench.buffer.statistics.reordered == 1)
        packets = bench.frame()
        packets.remove(at: 1)
        #expect(bench.give(packets).nacks.isEmpty)
        #expect(bench.pass(.milliseconds(18)).nacks.isEmpty)
        #expect(bench.pass(.milliseconds(3)).nacks.count == 1)
    }

    @Test func aKeyframeIsAskedForAgainWhenItCouldHaveCome() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        bench.buffer.handle(.roundTrip(.milliseconds(80)), now: bench.now)
        _ = bench.give(bench.frame())
        bench.buffer.handle(.decoderFailed, now: bench.now)
        #expect(Outputs(draining: &bench.buffer).keyframeRequests == [.decoderFailed])
        #expect(bench.pass(.milliseconds(179)).keyframeRequests.isEmpty)
        #expect(bench.pass(.milliseconds(1)).keyframeRequests.count == 1)
    }

    @Test(arguments: [(7, true), (8, false)])
    func aGapIsRepairedUpToItsBound(lost: Int, isRepaired: Bool) {
        var bench = Bench { $0.largestGap = 8 }
        _ = bench.give(bench.frame(isKeyframe: true))
        var packets = bench.frame(bytes: 20_000)
        packets.removeSubrange(1..<1 + lost)
        let output = bench.give(packets)
        #expect(output.nacks.map(\.count) == (isRepaired ? [lost] : []))
        #expect(output.keyframeRequests == (isRepaired ? [] : [.packetsLost]))
    }

    @Test func onceSeenReorderingIsGivenTime() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        bench.buffer.handle(.roundTrip(.milliseconds(40)), now: bench.now)
        var packets = bench.frame()
        packets.swapAt(1, 2)
        let first = bench.give(Array(packets[0...1]))
        #expect(first.nacks.count == 1)
        bench.now = bench.now + .milliseconds(2)
        #expect(bench.give(Array(packets[2...])).frames.count == 1)
        #expect(bench.buffer.statistics.reordered == 1)
        #expect(bench.buffer.statistics.recovered == 0)
        // The same reordering again is waited for, without a request.
        packets = bench.frame()
        packets.swapAt(1, 2)
        var nacks = bench.give(Array(packets[0...1])).nacks
        nacks += bench.pass(.milliseconds(2)).nacks
        let rest = bench.give(Array(packets[2...]))
        #expect(nacks.isEmpty && rest.nacks.isEmpty)
        #expect(rest.frames.count == 1)
    }

    @Test func aHoleIsGivenUpAfterTheLongestWaitAndAKeyframeAskedFor() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        var packets = bench.frame()
        packets.remove(at: 1)
        let start = bench.now
        _ = bench.give(packets)
        let waited = bench.pass(.milliseconds(199))
        #expect(waited.keyframeRequests.isEmpty)
        #expect(bench.pass(.milliseconds(1)).keyframeRequests == [.packetsLost])
        #expect(bench.now == start + .milliseconds(200))
        // Frames that refer to the lost one are held back, and requests are spaced.
        let following = bench.give(bench.frame())
        #expect(following.frames.isEmpty && following.keyframeRequests.isEmpty)
        #expect(bench.pass(.milliseconds(450)).keyframeRequests.count == 4)
        let keyframe = bench.give(bench.frame(isKeyframe: true))
        #expect(keyframe.frames.map(\.isKeyframe) == [true])
        #expect(bench.pass(.seconds(10)).keyframeRequests.isEmpty)
        #expect(bench.buffer.abandonments == 1)
    }

    @Test func aNearNetworkIsNotWaitedForLong() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        bench.buffer.handle(.roundTrip(.milliseconds(1)), now: bench.now)
        var packets = bench.frame()
        packets.remove(at: 1)
        _ = bench.give(packets)
        #expect(bench.pass(.milliseconds(40)).keyframeRequests == [.packetsLost])
    }

    @Test func withoutRetransmissionOnlyReorderingIsWaitedFor() {
        var bench = Bench { $0.hasRetransmission = false }
        _ = bench.give(bench.frame(isKeyframe: true))
        var packets = bench.frame()
        packets.remove(at: 1)
        #expect(bench.give(packets).nacks.isEmpty)
        let output = bench.pass(.milliseconds(10))
        #expect(output.nacks.isEmpty)
        #expect(output.keyframeRequests == [.packetsLost])
    }

    @Test func aWholeKeyframeAheadEndsTheWait() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        var packets = bench.frame()
        packets.remove(at: 0)
        _ = bench.give(packets)
        var keyframe = bench.frame(isKeyframe: true)
        let last = keyframe.removeLast()
        #expect(bench.give(keyframe).frames.isEmpty)
        let output = bench.give([last])
        #expect(output.frames.map(\.isKeyframe) == [true])
        #expect(output.keyframeRequests.isEmpty)
        #expect(bench.buffer.drops[.superseded] == packets.count)
        #expect(bench.give(bench.frame()).frames.count == 1)
    }

    @Test func aWholeFrameLostIsALostReference() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        _ = bench.frame()
        #expect(bench.give(bench.frame()).frames.isEmpty)
        #expect(bench.pass(.milliseconds(200)).keyframeRequests == [.packetsLost])
    }

    @Test func duplicatesLateAndOldPacketsAreNamed() {
        var bench = Bench { $0.capacity = 64 }
        let keyframe = bench.frame(isKeyframe: true)
        _ = bench.give(keyframe)
        _ = bench.give([keyframe[1]])
        #expect(bench.buffer.drops[.duplicate] == 1)
        var packets = bench.frame()
        let lost = packets.remove(at: 1)
        _ = bench.give(packets)
        _ = bench.pass(.milliseconds(500))
        _ = bench.give(bench.frame(isKeyframe: true))
        _ = bench.give([lost])
        #expect(bench.buffer.drops[.late] == 1)
        _ = bench.give([lost])
        #expect(bench.buffer.drops[.duplicate] == 2)
        for _ in 0..<30 { _ = bench.give(bench.frame()) }
        _ = bench.give([keyframe[0]])
        #expect(bench.buffer.drops[.tooOld] == 1)
    }

    @Test func aDecoderFailureWaitsForAKeyframe() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        bench.buffer.handle(.decoderFailed, now: bench.now)
        #expect(Outputs(draining: &bench.buffer).keyframeRequests == [.decoderFailed])
        bench.buffer.handle(.decoderFailed, now: bench.now)
        #expect(Outputs(draining: &bench.buffer).keyframeRequests.isEmpty)
        #expect(bench.give(bench.frame()).frames.isEmpty)
        #expect(bench.give(bench.frame(isKeyframe: true)).frames.count == 1)
    }

    @Test func aKeyframeOnItsWayAnswersADecoderFailure() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        bench.buffer.handle(.decoderFailed, now: bench.now)
        _ = bench.give([])
        let keyframe = bench.frame(isKeyframe: true)
        _ = bench.give(Array(keyframe.dropLast()))
        bench.buffer.handle(.decoderFailed, now: bench.now)
        let output = bench.give([keyframe[keyframe.count - 1]])
        #expect(output.keyframeRequests.isEmpty)
        #expect(output.frames.map(\.isKeyframe) == [true])
        #expect(bench.buffer.abandonments == 1)
    }

    @Test func aMalformedPayloadCostsItsFrameOnly() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        var packets = bench.frame()
        // A fragment with both the start and the end bit.
        packets[1][13] |= 0xC0
        let output = bench.give(packets)
        #expect(output.frames.isEmpty)
        #expect(output.keyframeRequests == [.malformed])
        #expect(bench.buffer.drops[.malformed] == 1)
        #expect(bench.give(bench.frame(isKeyframe: true)).frames.count == 1)
    }

    @Test func aLostMarkerOfAForeignSourceEndsWithTheTimestamp() {
        var bench = Bench()
        var keyframe = bench.frame(isKeyframe: true)
        keyframe[keyframe.count - 1][1] &= 0x7F
        #expect(bench.give(keyframe).frames.isEmpty)
        #expect(bench.give(bench.frame()).frames.map(\.frameIndex) == [0, 1])
    }

    @Test func aLongSilenceIsSkippedNotRepaired() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        for _ in 0..<200 { _ = bench.frame() }
        let output = bench.give(bench.frame())
        #expect(output.nacks.isEmpty)
        #expect(output.keyframeRequests == [.packetsLost])
        #expect(bench.give(bench.frame(isKeyframe: true)).frames.count == 1)
        #expect(bench.buffer.statistics.lost == 800)
    }

    @Test func whatWaitsIsBoundedInPacketsAndBytes() {
        var byPackets = Bench { $0.capacity = 256 }
        var byBytes = Bench { $0.mostBytes = 50_000 }
        func fill(_ bench: inout Bench) {
            _ = bench.give(bench.frame(isKeyframe: true))
            var hole = bench.frame()
            hole.remove(at: 0)
            _ = bench.give(hole)
            bench.now = bench.now - .milliseconds(16)
            for _ in 0..<300 {
                let packets = bench.frame()
                bench.now = bench.now - .milliseconds(16)
                _ = bench.give(packets)
            }
        }
        fill(&byPackets)
        #expect(byPackets.buffer.drops[.overflow] > 0)
        fill(&byBytes)
        #expect(byBytes.buffer.drops[.overflow] > 0)
        #expect(byPackets.give(byPackets.frame(isKeyframe: true)).frames.count == 1)
        #expect(byBytes.give(byBytes.frame(isKeyframe: true)).frames.count == 1)
    }

    @Test(arguments: 0..<20)
    func junkNeverTraps(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bench = Bench { $0.capacity = 128 }
        for _ in 0..<3000 {
            bench.now = bench.now + .microseconds(Int(random.next() % 5000))
            var bytes = (0..<Int(random.next() % 60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if bytes.count > 3, random.next() % 2 == 0 { bytes[0] = 0x67 }
            let packet = MediaPacket(
                bytes: bytes, payload: 0..<bytes.count,
                sequence: ExtendedSequence(random.next() % 8 == 0 ? random.next() >> 1 : random.next() % 2000),
                timestamp: UInt32(truncatingIfNeeded: random.next() % 4), marker: random.next() % 3 == 0,
                arrival: bench.now)
            bench.buffer.handle(.packet(packet), now: bench.now)
            _ = bench.pass(.microseconds(100))
        }
        #expect(bench.buffer.statistics.received + bench.buffer.drops.total >= 3000)
    }

    @Test(arguments: VideoCodec.allCases)
    func slicesAreGivenOutBeforeTheirFrameIsWhole(codec: VideoCodec) {
        var bench = Bench(codec: codec) { $0.handsOutParts = true }
        for number in 0..<20 as Range<UInt64> {
            let isKeyframe = number % 10 == 0
            let packets = bench.frame(isKeyframe: isKeyframe, bytes: 8000)
            var (parts, frames): ([ReceivedPart], [ReceivedFrame]) = ([], [])
            for packet in packets {
                let output = bench.give([packet])
                // A part is returned as soon as its slice is complete, and never after its frame.
                #expect(frames.isEmpty && output.parts.count + output.frames.count <= 1)
                parts += output.parts
                frames += output.frames
            }
            #expect(frames.count == 1)
            guard let frame = frames.first else { return }
            #expect(parts.count == (isKeyframe ? 0 : 1))
            #expect(frame.handedOut == parts.reduce(0) { $0 + $1.annexB.count })
            #expect(parts.flatMap(\.annexB) == Array(frame.annexB.prefix(frame.handedOut)))
            #expect(parts.allSatisfy { $0.codec == codec && Int64($0.start.timestamp) == frame.mediaTime })
            // The rest begins at a slice boundary.
            #expect(parts.isEmpty || frame.annexB[frame.handedOut..<frame.handedOut + 4] == [0, 0, 0, 1])
        }
    }

    @Test func aPartOfAFrameThatIsGivenUpIsFollowedByTheBeginningOfAnother() throws {
        var bench = Bench {
            $0.handsOutParts = true
            $0.hasRetransmission = false
        }
        _ = bench.give(bench.frame(isKeyframe: true))
        var lost = bench.frame(bytes: 8000)
        lost.remove(at: lost.count - 2)
        let begun = bench.give(lost)
        #expect(begun.parts.map(\.start.offset) == [0] && begun.frames.isEmpty)
        _ = bench.pass(.seconds(1))
        let next = bench.give(bench.frame(isKeyframe: true, bytes: 8000) + bench.frame(bytes: 8000))
        #expect(next.frames.map(\.isKeyframe) == [true, false])
        #expect(next.frames.first?.handedOut == 0)
        let part = try #require(next.parts.first)
        #expect(next.parts.count == 1 && part.start.offset == 0 && part.end == next.frames.last?.rest)
    }

    @Test func smallSlicesAndThoseOfWhoWantsNoneAreNoParts() {
        var small = Bench { $0.handsOutParts = true }
        var unwanted = Bench()
        for isKeyframe in [true, false, false] {
            let frames = small.give(small.frame(isKeyframe: isKeyframe, bytes: 3000))
            #expect(frames.parts.isEmpty && frames.frames.map(\.handedOut) == [0])
            let whole = unwanted.give(unwanted.frame(isKeyframe: isKeyframe, bytes: 20_000))
            #expect(whole.parts.isEmpty && whole.frames.map(\.handedOut) == [0])
        }
    }
}
