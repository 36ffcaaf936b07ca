import HelioBroadcast
import HelioCore
import HelioProtection
import HelioRTMP
import HelioRTMPLink

/// Fuzzes a broadcast by RTMP, and the publishers of its connections, with a hostile server: the bytes are a script of
/// what is heard, of pictures and sound, and of time that passes. What is sent has to be a chunk stream all the way, what
/// waits in the connection is bounded, everything is sent or counted, and it ends when it is told to.
package enum RTMPPublisherFuzz {
    private static let key = "k3y-0f-n0b0dy"

    package static func run(_ bytes: [UInt8]) {
        guard let key = try? RTMPKey(SecretBytes(Array(key.utf8))),
            let address = try? RTMPAddress(parsing: "rtmp://server.example/live", key: key)
        else { fatalError("the address is a good one") }
        var run = Run(to: address)
        run.play(bytes)
        run.end()
    }

    private struct Run {
        var broadcast: RTMPBroadcast
        var now = Instant.zero
        var isOver = false
        var isConnected = false
        var sent: [UInt8] = []
        var reader = RTMPChunkReader(messageLimit: 1 << 20)
        var put = 0

        init(to address: RTMPAddress) {
            broadcast = RTMPBroadcast(
                to: address, BroadcastTracks(video: .h264, sound: .opus(channels: 2)), seed: 1, now: now)
        }

        mutating func play(_ bytes: [UInt8]) {
            tick()
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
                    tick()
                default: handle(argument == 0 ? .end : .link(.disconnected))
                }
            }
        }

        /// Nobody takes or answers anything any more.
        mutating func end() {
            handle(.end)
            now = now + .seconds(2)
            tick()
            precondition(isOver && !isConnected, "it does not end")
            let statistics = broadcast.statistics(now: now)
            // What can't be carried was taken as well.
            let taken =
                Int(statistics.pictures + statistics.sounds) - statistics.drops["broadcast-unsuitable", default: 0]
            precondition(taken + statistics.dropped == put, "a unit is neither sent nor counted")
        }

        private mutating func unit(_ what: UInt8, _ argument: Int) {
            put += 1
            let kind: BroadcastUnit.Kind = [.keyframe, .picture, .sound, .picture][Int(what >> 3) & 3]
            let content = [UInt8](repeating: UInt8(argument), count: argument * 8)
            guard kind != .sound else {
                let frames = 960
                return handle(
                    .sound(
                        EncodedSound(
                            encode: .thinOpus, payload: content, mediaTime: Int64(put * frames), frames: frames,
                            captured: now)))
            }
            let bytes: [UInt8] = [0, 0, 1, kind == .keyframe ? 0x65 : 0x41] + content
            handle(.picture(BroadcastPicture(annexB: bytes, captured: now, isKeyframe: kind == .keyframe)))
        }

        private mutating func handle(_ input: RTMPBroadcast.Input) {
            broadcast.handle(input, now: now)
            drain()
        }

        private mutating func tick() {
            broadcast.tick(now: now)
            drain()
        }

        private mutating func drain() {
            while let output = broadcast.poll() {
                switch output {
                case .link(.connect):
                    precondition(!isConnected && !isOver, "a second connection")
                    isConnected = true
                    sent = []
                    reader = RTMPChunkReader(messageLimit: 1 << 20)
                case .link(.send(let bytes)):
                    precondition(isConnected, "something is sent behind the end")
                    read(bytes)
                case .link(.close):
                    precondition(isConnected, "nothing is there to be closed")
                    isConnected = false
                case .event(let event):
                    precondition(!isOver, "something came behind the end")
                    if case .state(let state) = event { isOver = state.isFinal }
                }
            }
            precondition(broadcast.unsentBytes <= 16 << 20)
            precondition(isOver == broadcast.isOver)
            if isOver { precondition(!isConnected && broadcast.deadline == nil) }
            if let deadline = broadcast.deadline { precondition(deadline.at > now, "a deadline that is over") }
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
