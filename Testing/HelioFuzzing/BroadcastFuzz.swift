import HelioBitstream
import HelioBroadcast
import HelioCore

/// Fuzzes the broadcast engine and its queue with arbitrary sequences of inputs. Checks that every change of state is
/// reported, the queue stays within its limits, no picture is sent without its references, times never decrease, and
/// each unit is either sent or counted as dropped.
package enum BroadcastFuzz {
    package static func run(_ bytes: [UInt8]) {
        var fuzz = BroadcastRun(bytes.first ?? 0)
        for step in stride(from: 1, to: bytes.count - 1, by: 2) { fuzz.step(bytes[step], Int(bytes[step + 1])) }
        fuzz.end()
        queue(bytes)
    }

    /// Runs the queue with two bytes per step: the action, and the size of a unit or the time that passes.
    private static func queue(_ bytes: [UInt8]) {
        let limit = 1000
        var queue = BroadcastQueue(age: .milliseconds(500), bytes: limit)
        var now = Instant.zero
        // Each picture's bytes contain its number.
        var picture: UInt32 = 0
        var expected: UInt32?
        var (put, taken) = (0, 0)
        for step in stride(from: 0, to: bytes.count - 1, by: 2) {
            let argument = Int(bytes[step + 1])
            switch bytes[step] & 7 {
            case 0, 1, 2, 3:
                let kind: BroadcastUnit.Kind = [.keyframe, .picture, .picture, .sound][Int(bytes[step] & 3)]
                var content: [UInt8] = []
                if kind != .sound { picture += 1 }
                content.append(bigEndian: picture)
                content += repeatElement(0, count: argument * 5)
                queue.put(BroadcastUnit(kind: kind, bytes: content, time: .zero), now: now)
                put += 1
            case 4, 5:
                guard let unit = queue.takeFirst(now: now) else { break }
                taken += 1
                guard unit.kind != .sound, let number = unit.bytes.span.bytes.uint32(at: 0) else { break }
                precondition(unit.kind == .keyframe || number == expected, "a picture without one that it needs")
                expected = number + 1
            case 6: now = now + .milliseconds(argument * 4)
            default:
                if argument == 0 { queue.clear(.lostConnection) }
            }
            precondition(queue.byteCount <= limit)
            precondition(queue.drops.total + taken + queue.count == put, "a unit is neither sent nor counted")
        }
    }
}
