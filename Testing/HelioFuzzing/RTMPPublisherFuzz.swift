import HelioCore
import HelioProtection
import HelioRTMP
import HelioRTMPLink

/// Fuzzes the publisher by RTMP with a hostile server: the bytes are a script of what it hears, of pictures, and of time
/// that passes. What it sends has to be a chunk stream all the way, and everything is sent, waits or is counted.
package enum RTMPPublisherFuzz {
    private static let key = "k3y-0f-n0b0dy"

    package static func run(_ bytes: [UInt8]) {
        guard let address = try? RTMPAddress(parsing: "rtmp://server.example/live"),
            let key = try? RTMPKey(SecretBytes(Array(key.utf8)))
        else { fatalError("the address is a good one") }
        let stream = RTMPStream(to: address, key: key, video: .h264, sound: .opus(channels: 2))
        var run = Run(publisher: RTMPPublisher(stream, seed: 1, now: .zero))
        run.play(bytes)
    }

    private struct Run {
        var publisher: RTMPPublisher
        var now = Instant.zero
        var isOver = false
        var sent: [UInt8] = []
        var reader = RTMPChunkReader(messageLimit: 1 << 20)
        var put = 0

        init(publisher: RTMPPublisher) { self.publisher = publisher }

        mutating func play(_ bytes: [UInt8]) {
            publisher.tick(now: now)
            drain()
            var offset = 0
            while offset + 1 < bytes.count {
                let (what, argument) = (bytes[offset], Int(bytes[offset + 1]))
                offset += 2
                switch what & 7 {
                case 0: handle(.link(.connected))
                case 1:
                    // A whole handshake, which no fuzzer finds.
                    handle(.link(.received([3] + [UInt8](repeating: 0, count: 2 * RTMP.handshakeSize))))
                case 2, 3:
                    let piece = Array(bytes[offset..<min(bytes.count, offset + argument)])
                    offset += piece.count
                    handle(.link(.received(piece)))
                case 4: unit(what, argument)
                case 5: handle(.link(.written(argument << Int(what >> 4))))
                case 6:
                    now = now + .milliseconds(argument * 40)
                    publisher.tick(now: now)
                    drain()
                default: handle(argument == 0 ? .close : .link(.disconnected))
                }
            }
            let statistics = publisher.statistics
            let drops = statistics.drops.values.reduce(0, +)
            precondition(
                statistics.sentPictures + statistics.sentSounds + statistics.waiting + drops >= put,
                "a unit is neither sent nor counted")
        }

        private mutating func unit(_ what: UInt8, _ argument: Int) {
            put += 1
            let kind: RTMPUnit.Kind = [.keyframe, .picture, .sound, .picture][Int(what >> 3) & 3]
            var content: [UInt8] = kind == .sound ? [] : [0, 0, 1, kind == .keyframe ? 0x65 : 0x41]
            content += [UInt8](repeating: UInt8(argument), count: argument * 8)
            handle(.unit(RTMPUnit(kind, bytes: content, presentation: .nanoseconds(now.nanoseconds))))
        }

        private mutating func handle(_ input: RTMPPublisher.Input) {
            publisher.handle(input, now: now)
            drain()
        }

        private mutating func drain() {
            while let output = publisher.poll() {
                precondition(!isOver, "something came behind the end")
                switch output {
                case .link(.connect):
                    sent = []
                    reader = RTMPChunkReader(messageLimit: 1 << 20)
                case .link(.send(let bytes)): read(bytes)
                case .link(.close): break
                case .event(.state(let state)): isOver = state.isFinal
                case .event(.wantsKeyframe): break
                }
            }
            precondition(publisher.statistics.unsentBytes <= 16 << 20)
            precondition(isOver == (publisher.deadline == nil))
            if let deadline = publisher.deadline { precondition(deadline.at > now, "a deadline that is over") }
        }

        private mutating func read(_ bytes: [UInt8]) {
            let end = 1 + 2 * RTMP.handshakeSize
            let missing = max(0, end - sent.count)
            sent += bytes.prefix(missing)
            reader.append(Array(bytes.dropFirst(missing)))
            do throws(RTMPChunkFault) {
                while let message = try reader.next() {
                    if message.type == .command { _ = try? RTMPCommand(message) }
                }
            } catch {
                fatalError("what is sent is no chunk stream: \(error)")
            }
        }
    }
}
