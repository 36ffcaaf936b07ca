import HelioCore
import HelioMedia
import HelioRTP
import Testing

/// Repair pictures in the jitter buffer: from which one it continues, and which frames it never returns.
@Suite("Repair pictures in the jitter buffer")
struct RepairBufferTests {
    private struct Bench {
        var stream: TestStream
        var buffer: JitterBuffer
        var extender = SequenceExtender()
        var now = Instant.zero + .seconds(10)

        init(firstTimestamp: UInt32 = 0) {
            var configuration = JitterBuffer.Configuration(codec: .h264)
            configuration.givesRepairs = true
            stream = TestStream(firstTimestamp: firstTimestamp)
            buffer = JitterBuffer(configuration: configuration)
            buffer.handle(.roundTrip(.milliseconds(20)), now: now)
        }

        /// The next frame's packets; those of a repair picture have the repair mark.
        mutating func frame(isKeyframe: Bool = false, repairsSince: UInt32? = nil) -> [MediaPacket] {
            now = now + .milliseconds(16)
            var packets = stream.next(isKeyframe: isKeyframe, bytes: 1000, now: now).map(\.bytes).compactMap {
                TestStream.open($0, extender: &extender, arrival: now)
            }
            packets[0].repairsSince = repairsSince
            return packets
        }

        mutating func give(_ packets: [MediaPacket]) -> RepairOutputs {
            for packet in packets { buffer.handle(.packet(packet), now: now) }
            return RepairOutputs(draining: &buffer)
        }

        mutating func pass(_ duration: Duration) -> RepairOutputs {
            let end = now + duration
            while let deadline = buffer.deadline, deadline.at <= end {
                now = max(now, deadline.at)
                buffer.tick(now: now)
            }
            now = end
            return RepairOutputs(draining: &buffer)
        }

        /// Passes three complete frames, and gives up a lost one.
        mutating func loseOne() -> RepairOutputs {
            _ = give(frame(isKeyframe: true))
            for _ in 0..<2 { _ = give(frame()) }
            _ = frame()
            _ = give(frame())
            return pass(.milliseconds(300))
        }
    }

    private struct RepairOutputs {
        var frames: [ReceivedFrame] = []
        var nacks = 0
        var repairs: [UInt32] = []
        var keyframes: [JitterBuffer.KeyframeReason] = []

        init(draining buffer: inout JitterBuffer) {
            while let output = buffer.poll() {
                switch output {
                case .part: break
                case .frame(let frame): frames.append(frame)
                case .nack: nacks += 1
                case .needKeyframe(let reason): keyframes.append(reason)
                case .needRepair(let timestamp): repairs.append(timestamp)
                }
            }
        }
    }

    @Test(
        "what was given up is asked for by the last whole frame, and a repair picture goes on",
        arguments: [0, 0xFFFF_FFFF - 3000, 0x7FFF_FFFF - 3000] as [UInt32])
    func goesOn(first: UInt32) {
        var bench = Bench(firstTimestamp: first)
        let lost = bench.loseOne()
        #expect(lost.repairs.first == first &+ 3000)
        #expect(lost.keyframes.isEmpty)
        // Frames that refer to the lost one are unusable.
        #expect(bench.give(bench.frame()).frames.isEmpty)
        let repaired = bench.give(bench.frame(repairsSince: first &+ 3000))
        #expect(repaired.frames.map(\.isKeyframe) == [false])
        #expect(repaired.frames.first?.annexB == TestStream.annexB(6, codec: .h264, isKeyframe: false, bytes: 1000))
        #expect(bench.give(bench.frame()).frames.count == 1)
        #expect(bench.buffer.repairs == 1)
        // Lost packets are no longer requested.
        let later = bench.pass(.seconds(2))
        #expect(later.nacks == 0 && later.repairs.isEmpty && later.keyframes.isEmpty)
    }

    @Test("a repair picture that follows on a later frame than the last is no help: it is asked for again")
    func tooLate() {
        var bench = Bench()
        _ = bench.loseOne()
        #expect(bench.give(bench.frame(repairsSince: 3001)).frames.isEmpty)
        #expect(bench.give(bench.frame(repairsSince: 4500)).frames.isEmpty)
        #expect(bench.pass(.milliseconds(100)).repairs == [3000])
        // A repair picture from an older frame is usable.
        #expect(bench.give(bench.frame(repairsSince: 1500)).frames.count == 1)
    }

    @Test("a whole repair picture ahead ends the wait for a lost packet")
    func endsTheWait() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        _ = bench.give(bench.frame())
        var torn = bench.frame()
        torn.remove(at: 1)
        #expect(bench.give(torn).frames.isEmpty)
        var repair = bench.frame(repairsSince: 1500)
        let last = repair.removeLast()
        #expect(bench.give(repair).frames.isEmpty)
        #expect(bench.give([last]).frames.count == 1)
        #expect(bench.buffer.drops[.overtaken] == 1)
        let later = bench.pass(.seconds(2))
        #expect(later.repairs.isEmpty && later.nacks == 0)
    }

    @Test("where repairs don't help for a second, or nothing was ever shown, a keyframe is asked for")
    func lastResort() {
        var bench = Bench()
        let start = bench.give(bench.frame())
        #expect(start.repairs.isEmpty)
        #expect(bench.pass(.milliseconds(100)).keyframes.first == .start)
        var other = Bench()
        _ = other.loseOne()
        let early = other.pass(.milliseconds(600))
        #expect(early.repairs.count > 3 && early.keyframes.isEmpty)
        let late = other.pass(.seconds(1))
        #expect(late.keyframes.first == .packetsLost)
        // A keyframe ends the requests, and the next loss requests a repair again.
        #expect(other.give(other.frame(isKeyframe: true)).frames.count == 1)
        _ = other.frame()
        _ = other.give(other.frame())
        let again = other.pass(.milliseconds(300))
        #expect(again.repairs.first == 7500)
        #expect(again.keyframes.isEmpty)
    }

    @Test("what the decoder could not use is nothing to follow on")
    func decoderFailed() {
        var bench = Bench()
        _ = bench.give(bench.frame(isKeyframe: true))
        _ = bench.give(bench.frame())
        bench.buffer.handle(.decoderFailed, now: bench.now)
        #expect(RepairOutputs(draining: &bench.buffer).keyframes == [.decoderFailed])
        #expect(bench.give(bench.frame(repairsSince: 0)).frames.isEmpty)
    }

    @Test("a frame of which the source has sent only a part is not shown; a repair picture behind it is")
    func partOfAFrame() {
        for isRepair in [false, true] {
            var bench = Bench()
            _ = bench.give(bench.frame(isKeyframe: true))
            // The frame's last packet was never assigned a sequence number.
            let torn = Array(bench.frame().dropLast())
            #expect(bench.give(torn).frames.isEmpty)
            var next = bench.frame(repairsSince: isRepair ? 0 : nil)
            for index in next.indices {
                next[index].sequence = ExtendedSequence(torn[torn.count - 1].sequence.rawValue + 1 + UInt64(index))
            }
            let output = bench.give(next)
            #expect(output.frames.count == (isRepair ? 1 : 0))
            #expect(bench.pass(.milliseconds(20)).repairs.isEmpty == isRepair || !output.repairs.isEmpty)
        }
    }
}
