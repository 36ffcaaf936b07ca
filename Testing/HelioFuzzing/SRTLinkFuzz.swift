import HelioCore
import HelioProtection
import HelioSRTLink

/// Fuzzes `srt://` addresses, whose errors and descriptions must keep secrets, and the queue of what is sent by SRT, which
/// must keep its bounds and never give a picture without those that it needs.
package enum SRTLinkFuzz {
    package static func run(_ bytes: [UInt8]) {
        address(String(decoding: bytes, as: UTF8.self))
        queue(bytes)
    }

    private static func address(_ text: String) {
        guard let address = try? SRTAddress(parsing: text) else { return }
        precondition(address.port > 0 && (address.mode == .listener || !address.host.isEmpty))
        precondition(SRTAddress.latencies.contains(address.latency))
        precondition(SRTAddress.connectTimeouts.contains(address.connectTimeout))
        precondition(address.passphrase.map { SRTAddress.passphraseSizes.contains($0.count) } ?? true)
        precondition(!"\(address)".utf8.contains(UInt8(ascii: "?")) || address.host.utf8.contains(UInt8(ascii: "?")))
        let again = try? SRTAddress(parsing: "\(address)" + (address.mode == .listener ? "?mode=listener" : ""))
        precondition(again?.host == address.host && again?.port == address.port, "address changed on its way")
    }

    /// Takes two bytes a step: what is done, and how large a group is or how much later it is.
    private static func queue(_ bytes: [UInt8]) {
        let limit = 1000
        var queue = SRTGroupQueue(age: .milliseconds(500), bytes: limit)
        var now = Instant.zero
        // The number of each picture is in its bytes, and that of the last keyframe's group.
        var picture: UInt32 = 0
        var expected: UInt32?
        var (put, taken) = (0, 0)
        for step in stride(from: 0, to: bytes.count - 1, by: 2) {
            let argument = Int(bytes[step + 1])
            switch bytes[step] & 7 {
            case 0, 1, 2, 3:
                let kind: SRTMessageGroup.Kind = [.keyframe, .picture, .picture, .sound][Int(bytes[step] & 3)]
                var content: [UInt8] = []
                if kind != .sound { picture += 1 }
                content.append(bigEndian: picture)
                content += repeatElement(0, count: argument * 5)
                queue.put(SRTMessageGroup(bytes: content, kind: kind), now: now)
                put += 1
            case 4, 5:
                guard let group = queue.takeFirst(now: now) else { break }
                taken += 1
                guard group.kind != .sound, let number = group.bytes.span.bytes.uint32(at: 0) else { break }
                precondition(group.kind == .keyframe || number == expected, "a picture without one that it needs")
                expected = number + 1
            case 6: now = now + .milliseconds(argument * 4)
            default:
                if argument == 0 { queue.clear(.lostConnection) }
            }
            precondition(queue.byteCount <= limit)
            precondition(queue.drops.total + taken + queue.count == put, "a group is neither sent nor counted")
        }
    }
}
