import HelioBroadcast
import HelioCore
import HelioProtection
import HelioRTMP

/// Fuzzes an RTMP broadcast, and the publishers of its connections, with a hostile server. The bytes are a script of
/// received data, pictures, sound and time. All sent bytes must form a valid chunk stream, the connection's queue must
/// be bounded, each unit must be sent or counted as dropped, and the broadcast must end on request.
package enum RTMPPublisherFuzz {
    private static let key = "k3y-0f-n0b0dy"
    /// x264's parameter sets for 320x240, Constrained Baseline.
    private static let sets: [UInt8] = [
        0, 0, 1, 0x67, 0x42, 0xC0, 0x0D, 0xDA, 0x05, 0x07, 0xE8, 0x40, 0x00, 0x00, 0x03, 0x00, 0x40, 0x00, 0x00, 0x0F,
        0x03, 0xC5, 0x0A, 0xA8, 0, 0, 1, 0x68, 0xCE, 0x0F, 0xC8,
    ]

    package static func run(_ bytes: [UInt8]) {
        guard let key = try? StreamSecret(key: SecretBytes(Array(key.utf8))),
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
        var isSetUp = (video: false, sound: false)
        var put = 0

        init(to address: RTMPAddress) {
            broadcast = RTMPBroadcast(
                to: address, BroadcastTracks(video: .h264, sound: .opus(channels: 2)), seed: 1, now: now)
        }

        mutating func play(_ bytes: [UInt8]) {
            tick()
            var steps = FuzzSteps(bytes)
            while let (what, argument) = steps.next() {
                switch what & 7 {
                case 0: handle(.link(.connected))
                case 1:
                    // Send a complete handshake, as a fuzzer would never find one.
                    handle(.link(.received([3] + [UInt8](repeating: 0, count: 2 * RTMP.handshakeSize))))
                case 2, 3: handle(.link(.received(steps.takeBytes(argument))))
                case 4: unit(what, argument)
                case 5: handle(.link(.written(argument << Int(what >> 4))))
                case 6:
                    now = now + .milliseconds(argument * 40)
                    tick()
                default: handle(argument == 0 ? .end : .link(.disconnected))
                }
            }
        }

        /// Ends the broadcast, while the server no longer reads or answers.
        mutating func end() {
            handle(.end)
            now = now + .seconds(2)
            tick()
            precondition(isOver && !isConnected, "it does not end")
            let statistics = broadcast.statistics(now: now)
            // Units that RTMP can't carry were taken from the queue too, so count them once only.
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
            let sets = kind == .keyframe && what & 0x20 == 0 ? RTMPPublisherFuzz.sets : []
            let bytes: [UInt8] = sets + [0, 0, 1, kind == .keyframe ? 0x65 : 0x41] + content
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
                    isSetUp = (false, false)
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
                while let message = try reader.next() { check(message) }
            } catch {
                fatalError("what is sent is no chunk stream: \(error)")
            }
        }

        /// Checks that a decoder configuration precedes every picture or packet of sound.
        private mutating func check(_ message: RTMPMessage) {
            switch message.type {
            case .command:
                guard (try? RTMPCommand(message)) != nil else { fatalError("a command can't be read") }
            case .video:
                switch FLVVideoTag(message.payload) {
                case .configuration: isSetUp.video = true
                case .picture: precondition(isSetUp.video, "a picture without a record")
                case .end, nil: fatalError("what is sent is no picture")
                }
            case .sound:
                switch FLVSoundTag(message.payload) {
                case .configuration: isSetUp.sound = true
                case .packet: precondition(isSetUp.sound, "a packet without a configuration")
                case nil: fatalError("what is sent is no sound")
                }
            default: break
            }
        }
    }
}
