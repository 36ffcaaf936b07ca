private import DequeModule
package import HelioBroadcast
package import HelioCore
import HelioProtection
import HelioRTMP

/// The server side of an RTMP publisher's connection, which reports the received media as events.
package struct RTMPReceiver: Engine {
    package enum Input: Sendable {
        case received([UInt8])
        case disconnected
    }

    package enum Output: Sendable, Equatable {
        case send([UInt8])
        case event(RTMPReceiverEvent)
        /// Closes the connection after all queued bytes were sent.
        case close
    }

    private enum Step {
        case version
        case echo
        case commands
        case publishing
        case over
    }

    /// The longest time without data from the publisher; then the connection ends.
    private static let patience = Duration.seconds(30)
    private static let messageLimit = FLVVideoWriter.maximumPicture + 64 << 10
    private static let window: UInt32 = 2_500_000
    private static let chunkSize = 4096
    private static let streamID: UInt32 = 1

    private let key: StreamSecret?
    private let application: String?
    private var random: SeededGenerator
    private var step = Step.version
    private var handshake: [UInt8] = []
    private var reader = RTMPChunkReader(messageLimit: messageLimit)
    private var writer = RTMPChunkWriter()
    private var connected: String?
    private var received: UInt32 = 0
    private var acknowledged: UInt32 = 0
    private var heardAt: Instant
    private var bytes: [UInt8] = []
    private var outputs: Deque<Output> = []

    /// - Parameters:
    ///   - application: the only accepted application name; `nil` to accept any.
    ///   - key: the only accepted stream key; `nil` to accept any.
    ///   - seed: the seed of the handshake's random bytes, which are not secret.
    package init(application: String? = nil, key: StreamSecret? = nil, seed: UInt64, now: Instant) {
        self.application = application
        self.key = key
        random = SeededGenerator(seed: seed)
        heardAt = now
    }

    package var bufferedByteCount: Int { handshake.count + reader.bufferedByteCount }

    package mutating func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        step == .over ? nil : Deadline(at: heardAt + Self.patience, why: "the publisher is silent")
    }

    package mutating func tick(now: Instant) {
        if step != .over, now >= heardAt + Self.patience { end(.silent) }
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        guard step != .over else { return }
        switch input {
        case .disconnected: end(.disconnected)
        case .received(let bytes):
            heardAt = now
            receive(bytes)
        }
        flush()
    }

    private mutating func flush() {
        guard !bytes.isEmpty else { return }
        outputs.append(.send(bytes))
        bytes = []
    }

    private mutating func end(_ reason: RTMPReceiverEnd) {
        guard step != .over else { return }
        step = .over
        flush()
        handshake = []
        outputs.append(.event(.ended(reason)))
        outputs.append(.close)
    }

    private mutating func receive(_ input: [UInt8]) {
        received &+= UInt32(truncatingIfNeeded: input.count)
        if step == .version || step == .echo {
            handshake += input
            shakeHands()
        } else {
            reader.append(input)
        }
        guard step == .commands || step == .publishing else { return }
        do throws(RTMPChunkFault) {
            while step != .over, let message = try reader.next() { take(message) }
        } catch {
            return end(.malformed(error))
        }
        if step != .over, received &- acknowledged >= Self.window {
            acknowledged = received
            send(RTMPControl.acknowledgement(received).message)
        }
    }

    private mutating func shakeHands() {
        if step == .version {
            if let version = handshake.first, version != RTMP.version { return end(.violation) }
            guard handshake.count >= 1 + RTMP.handshakeSize else { return }
            bytes = [RTMP.version] + [UInt8](repeating: 0, count: 8)
            for _ in 0..<(RTMP.handshakeSize - 8) / 8 { bytes.append(bigEndian: random.next() as UInt64) }
            bytes += handshake[1...RTMP.handshakeSize]
            step = .echo
        }
        let end = 1 + 2 * RTMP.handshakeSize
        guard handshake.count >= end else { return }
        reader.append(Array(handshake[end...]))
        handshake = []
        step = .commands
    }

    private mutating func send(_ message: RTMPMessage, on chunkStream: Int = RTMP.controlChunkStream) {
        writer.write(message, on: chunkStream, into: &bytes)
    }

    private mutating func send(_ command: RTMPCommand, streamID: UInt32 = 0) {
        send(command.message(streamID: streamID), on: RTMP.commandChunkStream)
    }

    private mutating func take(_ message: RTMPMessage) {
        switch message.type {
        case .video where step == .publishing:
            if let tag = FLVVideoTag(message.payload) {
                outputs.append(.event(.video(tag, time: message.timestamp)))
            }
        case .sound where step == .publishing:
            if let tag = FLVSoundTag(message.payload) {
                outputs.append(.event(.sound(tag, time: message.timestamp)))
            }
        case .data where step == .publishing:
            if let properties = RTMPMetadata.read(message) { outputs.append(.event(.metadata(properties))) }
        case .userControl:
            if case .ping(let value)? = RTMPControl(message) { send(RTMPControl.pong(value).message) }
        default:
            let command: RTMPCommand?
            do throws(AMF0Fault) {
                command = try RTMPCommand(message)
            } catch {
                return end(.violation)
            }
            if let command { take(command) }
        }
    }

    private mutating func take(_ command: RTMPCommand) {
        switch command.name {
        case "connect": connect(command)
        case "createStream":
            send(
                RTMPCommand(
                    "_result", transaction: command.transaction, arguments: [.number(Double(Self.streamID))]))
        case "publish": publish(command)
        case "deleteStream", "FCUnpublish":
            if step == .publishing { end(.finished) }
        default: break
        }
    }

    private static func information(_ level: String, _ code: String) -> AMF0Value {
        .object([.init("level", .string(level)), .init("code", .string(code))])
    }

    private mutating func connect(_ command: RTMPCommand) {
        guard let name = command.object["app"]?.text, application == nil || application == name else {
            send(
                RTMPCommand(
                    "_error", transaction: command.transaction,
                    arguments: [Self.information("error", "NetConnection.Connect.InvalidApp")]))
            return end(.refused)
        }
        connected = name
        send(RTMPControl.windowSize(Self.window).message)
        send(RTMPControl.peerBandwidth(Self.window, .dynamic).message)
        writer.setChunkSize(Self.chunkSize, into: &bytes)
        send(
            RTMPCommand(
                "_result", transaction: command.transaction, object: .object([]),
                arguments: [Self.information("status", "NetConnection.Connect.Success")]))
    }

    private mutating func publish(_ command: RTMPCommand) {
        guard step == .commands, let connected, let text = command.arguments.first?.text else {
            return end(.violation)
        }
        let isKnown = key.map { $0.isSaid(text) } ?? true
        send(
            RTMPCommand(
                "onStatus",
                arguments: [
                    isKnown
                        ? Self.information("status", "NetStream.Publish.Start")
                        : Self.information("error", "NetStream.Publish.BadName")
                ]), streamID: Self.streamID)
        guard isKnown else { return end(.refused) }
        step = .publishing
        outputs.append(.event(.publishing(application: connected)))
    }
}
