internal import DequeModule
import HelioCore
import HelioSimulation
import Testing

@testable import HelioSCTP

@Suite("What is given up")
struct SkippingTests {
    /// Compares with a set of numbers.
    @Test("bits are found and cleared by stretches as one by one", arguments: UInt64(0)..<20)
    func bits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let first = TransmissionSequence(initial: .random(in: 0 ... .max, using: &random))
        var bits = SequenceBits()
        var model: Set<Int> = []
        for _ in 0..<400 {
            let offset = Int.random(in: 0..<SequenceBits.count, using: &random)
            let end = min(SequenceBits.count - 1, offset + .random(in: -2...300, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                bits.remove(first + offset, through: first + end)
                if offset <= end { model.subtract(offset...end) }
            case 1:
                bits.remove(first + offset)
                model.remove(offset)
            default:
                for step in 0..<Int.random(in: 1...70, using: &random) where offset + step < SequenceBits.count {
                    bits.insert(first + (offset + step))
                    model.insert(offset + step)
                }
            }
            #expect(bits.contains(first + offset) == model.contains(offset))
            for state in [true, false] {
                let next = bits.next(state, from: first + offset, through: first + end) - first
                let expected = (offset...max(offset, end)).first { $0 <= end && model.contains($0) == state }
                #expect(next == expected ?? end + 1)
            }
        }
    }

    /// Any order of arrivals and skips, compared with the definition: nothing is delivered twice or out of order, and
    /// everything deliverable that arrived is.
    @Test("a stream delivers the same whether much waits or little", arguments: UInt64(0)..<20)
    func streams(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stream = IncomingStream()
        var ready = Deque<IncomingMessage>()
        var waiting: Set<Int> = []
        var next = 0
        var delivered: [Int] = []
        func deliver() {
            while waiting.remove(next) != nil {
                delivered.append(next)
                next += 1
            }
        }
        for _ in 0..<600 {
            if Int.random(in: 0..<8, using: &random) > 0 {
                let number = next + .random(in: 0..<40, using: &random)
                let isNew = stream.insert(Self.message(number), into: &ready)
                #expect(isNew == !waiting.contains(number))
                waiting.insert(number)
            } else {
                let last = next + .random(in: -3..<300, using: &random)
                stream.skip(to: UInt16(truncatingIfNeeded: last), into: &ready)
                let passed = waiting.filter { $0 <= last }.sorted()
                delivered += passed
                waiting.subtract(passed)
                next = max(next, last + 1)
            }
            deliver()
        }
        var numbers: [UInt16] = []
        while let message = ready.popFirst() { numbers.append(message.sequence) }
        #expect(numbers == delivered.map { UInt16(truncatingIfNeeded: $0) })
        #expect(stream.waitingMessages.count == waiting.count)
    }

    @Test("pieces are forgotten wherever they lie in what is skipped, and the others stay")
    func pieces() {
        let initial = TransmissionSequence(initial: 100)
        var reassembly = Reassembly(initial: initial, maximumMessageSize: 10_000)
        var map = ReceivedMap(initial: initial)
        let start = map.cumulative
        for offset in [2, 4, 64, 200, 16_000] {
            let chunk = DataChunk(
                flags: .beginning, tsn: (start + offset).wire, stream: 0, sequence: UInt16(offset), protocolID: 0,
                payload: 0..<10)
            map.insert(start + offset)
            _ = reassembly.insert(
                Fragment(chunk, payload: Array(repeating: 1, count: 10), at: start + offset), at: start + offset,
                received: map)
        }
        let each = 10 + Reassembly.overhead
        #expect(reassembly.heldCost == 5 * each)
        for (skipped, held) in [(1, 5), (2, 4), (199, 2), (15_999, 1), (16_000, 0), (40_000, 0)] {
            reassembly.skip(to: start + skipped)
            #expect(reassembly.heldCost == held * each, "\(skipped)")
        }
        #expect(reassembly.reaches(start + 50_000))
    }

    private static func message(_ number: Int) -> IncomingMessage {
        IncomingMessage(
            stream: 0, protocolID: 0, payload: [], isUnordered: false, sequence: UInt16(truncatingIfNeeded: number))
    }
}
