import HelioCore
import HelioRelay
import HelioRelayWire

/// Fuzzes the extension's end of the relay with an app that sends arbitrary bytes, an encoder with arbitrary output,
/// and a socket that may break at any time.
///
/// A step has a byte that selects the action, a length byte, and that many bytes.
package enum ExtensionRelayFuzz {
    /// Runs the relay with any bytes. Traps if the queue exceeds its limit, if two sends overlap, or if the relay does
    /// not end.
    package static func run(_ bytes: [UInt8]) {
        var world = World()
        var steps = FuzzSteps(bytes)
        while let (what, length) = steps.next() { world.step(what, steps.takeBytes(length)) }
        world.finish()
    }

    private struct World: ~Copyable {
        private var source: ExtensionRelay
        private var now = Instant.zero
        private var frameIndex: UInt64 = 0
        private var isConnecting = false
        private var isConnected = false
        private var isSending = false
        private var isStopped = false
        private var reader = RelayReader(from: .broadcastExtension)

        init() {
            var settings = ExtensionRelaySettings()
            settings.pictureBytes = 600
            settings.soundBytes = 200
            source = ExtensionRelay(
                format: RelayFormat(codec: .h264, size: PixelSize(width: 64, height: 64)), settings: settings,
                random: SeededGenerator(seed: 1), now: .zero)
        }

        mutating func step(_ what: UInt8, _ bytes: [UInt8]) {
            now = now + .milliseconds(Int64(what >> 4) * 20)
            source.tick(now: now)
            drain()
            switch what % 16 {
            case 0:
                guard isConnecting else { return }
                isConnecting = false
                isConnected = true
                reader = RelayReader(from: .broadcastExtension)
                source.handle(.connected, now: now)
            case 1:
                guard isConnecting || isConnected else { return }
                isConnecting = false
                isConnected = false
                isSending = false
                source.handle(.closed, now: now)
            case 2, 3: if isConnected { source.handle(.received(bytes), now: now) }
            case 4:
                guard isConnected else { return }
                let welcome = RelayMessage.welcome(version: 1).serialised() + RelayMessage.heartbeat.serialised()
                source.handle(.received(welcome), now: now)
            case 5, 6, 7:
                guard isSending else { return }
                isSending = false
                source.handle(.sent, now: now)
            case 8, 9, 10, 11:
                frameIndex += what % 16 == 11 ? 0 : 1
                let keyframe: [UInt8] = [0, 0, 1, 0x67, 1, 0, 0, 1, 0x68, 2, 0, 0, 1, 0x65]
                let annexB = what % 16 == 8 ? keyframe + bytes : bytes
                source.handle(
                    .slice(
                        EncodedSlice(
                            frameIndex: frameIndex, annexB: annexB, isFirst: what % 16 != 11, isLast: what & 16 == 0,
                            isKeyframe: what % 16 == 8, timing: FrameTiming(damaged: now, captured: now))),
                    now: now)
            case 12, 13:
                source.handle(
                    .sound(
                        RelaySound(
                            origin: what % 16 == 12 ? .system : .microphone, codec: .pcm, format: .standard,
                            captured: now, payload: bytes)),
                    now: now)
            case 14:
                let size = PixelSize(width: bytes.count, height: 16)
                source.handle(.format(RelayFormat(codec: .h264, size: size)), now: now)
            default: if bytes.first == 0xEE { source.handle(.end, now: now) }
            }
            drain()
            // The limit is a picture (600 bytes), sound (200), and 600 bytes for greetings, formats and heartbeats.
            precondition(source.waitingBytes <= 600 + 200 + 600, "more waits than may")
        }

        mutating func finish() {
            source.handle(.end, now: now)
            drain()
            if let deadline = source.deadline {
                source.tick(now: deadline.at)
                drain()
            }
            precondition(isStopped && source.deadline == nil && source.waitingBytes == 0, "it does not end")
            precondition(source.statistics.mostWaiting <= 600 + 200 + 600)
        }

        private mutating func drain() {
            var count = 0
            while let output = source.poll() {
                count += 1
                precondition(count < 1000, "one input causes too much")
                precondition(!isStopped, "something comes after the end")
                switch output {
                case .connect:
                    precondition(!isConnecting && !isConnected, "two connections")
                    isConnecting = true
                case .send(let bytes):
                    precondition(isConnected && !isSending, "bytes that nobody can send")
                    isSending = true
                    reader.append(bytes)
                    do throws(RelayWireError) {
                        while try reader.next() != nil {}
                    } catch {
                        preconditionFailure("it sends what is no message")
                    }
                case .close:
                    isConnecting = false
                    isConnected = false
                    isSending = false
                case .event(.stopped): isStopped = true
                case .event(.wish(let wish)): precondition(wish.isValid, "a wish that can't be")
                case .event: break
                }
            }
        }
    }
}
