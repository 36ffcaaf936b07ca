import HelioCore
import HelioRTMP

/// The protocol state machine of one connection to a server: handshake, commands and control messages (RTMP sections
/// 5.2 and 7).
///
/// ```
/// C0 C1 →                       | connect →                     | releaseStream, FCPublish, createStream →
///       ← S0 S1 S2   C2 →       |   ← window, bandwidth, _result|   ← _result   publish →   ← onStatus: started
/// ```
struct RTMPDialogue: Sendable {
    private enum Step: Sendable {
        /// S0 and S1 are awaited.
        case versions
        /// S2 is awaited.
        case echo
        case connect
        case createStream
        case publish
        case publishing
    }

    /// The maximum size of a server's message in bytes: enough for an onStatus with a long text.
    private static let messageLimit = 64 << 10
    private static let ourChunkSize = 4096
    private static let ourWindow: UInt32 = 2_500_000
    private static let createTransaction = 4.0

    private let address: RTMPAddress
    private let tracks: BroadcastTracks
    private var step = Step.versions
    private var handshake: [UInt8] = []
    private var reader = RTMPChunkReader(messageLimit: messageLimit)
    private var writer = RTMPChunkWriter()
    private var streamID: UInt32 = 0
    /// The server's acknowledgement window, in bytes.
    private var window: UInt32 = 0
    /// The bytes received, modulo 2^32.
    private var received: UInt32 = 0
    /// The received bytes that have been acknowledged, modulo 2^32.
    private var acknowledged: UInt32 = 0
    private var toldWindow: UInt32 = 0
    private var askedAt = Instant.zero

    /// The bytes to be sent; the owner removes them.
    var output: [UInt8] = []
    /// The server's response time to the last command, until the owner resets it to `nil`.
    var roundTrip: Duration?
    /// The server's last acknowledgement, in bytes modulo 2^32, until the owner resets it to `nil`.
    var acknowledgement: UInt32?

    /// - Parameter random: the 1528 random bytes of C1.
    init(_ address: RTMPAddress, _ tracks: BroadcastTracks, random: [UInt8]) {
        self.address = address
        self.tracks = tracks
        output = [RTMP.version] + [UInt8](repeating: 0, count: 8) + random
    }

    var isPublishing: Bool { step == .publishing }

    /// True once the stream key has been sent.
    var hasSaidKey: Bool {
        switch step {
        case .versions, .echo, .connect: false
        case .createStream, .publish, .publishing: true
        }
    }

    /// Handles received bytes, and queues the answers in `output`. Throws if the server refuses the stream or violates
    /// RTMP.
    mutating func receive(_ bytes: [UInt8], now: Instant) throws(RTMPFailure) {
        received &+= UInt32(truncatingIfNeeded: bytes.count)
        var bytes = bytes
        if step == .versions || step == .echo {
            guard let rest = try shakeHands(bytes, now: now) else { return }
            bytes = rest
        }
        reader.append(bytes)
        while let message = try next() { try take(message, now: now) }
        if window > 0, received &- acknowledged >= window {
            acknowledged = received
            send(control: .acknowledgement(received))
        }
    }

    private mutating func next() throws(RTMPFailure) -> RTMPMessage? {
        do throws(RTMPChunkFault) {
            return try reader.next()
        } catch {
            throw .malformed(error)
        }
    }

    /// Handles bytes of the handshake. Returns the bytes after the handshake, or `nil` if it is not complete.
    private mutating func shakeHands(_ bytes: [UInt8], now: Instant) throws(RTMPFailure) -> [UInt8]? {
        handshake += bytes
        if step == .versions {
            // Refuse other versions, which are encrypted or belong to another protocol.
            if let version = handshake.first, version != RTMP.version { throw .violation }
            guard handshake.count >= 1 + RTMP.handshakeSize else { return nil }
            // Send C2, which is a copy of S1. Its second field would be the time at which S1 was read, but the copy is
            // valid, too.
            output += handshake[1...RTMP.handshakeSize]
            step = .echo
        }
        // The content of S2 is not checked, as some servers sign it instead of repeating C1.
        let end = 1 + 2 * RTMP.handshakeSize
        guard handshake.count >= end else { return nil }
        let rest = Array(handshake[end...])
        handshake = []
        connect(now: now)
        return rest
    }

    // MARK: - Sending

    private mutating func send(_ message: RTMPMessage, on chunkStream: Int) {
        writer.write(message, on: chunkStream, into: &output)
    }

    private mutating func send(control: RTMPControl) { send(control.message, on: RTMP.controlChunkStream) }

    private mutating func send(_ command: RTMPCommand, streamID: UInt32 = 0) {
        send(command.message(streamID: streamID), on: RTMP.commandChunkStream)
    }

    private mutating func connect(now: Instant) {
        step = .connect
        askedAt = now
        var properties: [AMF0Property] = [
            .init("app", .string(address.application)),
            .init("type", .string("nonprivate")),
            .init("flashVer", .string("FMLE/3.0 (compatible; Heliograph)")),
            .init("tcUrl", .string(address.connectURL)),
        ]
        if !enhanced.isEmpty { properties.append(.init("fourCcList", .array(enhanced.map { .string($0) }))) }
        send(RTMPCommand("connect", transaction: 1, object: .object(properties)))
    }

    /// The codecs that need enhanced RTMP, as FourCCs.
    private var enhanced: [String] {
        (tracks.video == .h265 ? ["hvc1"] : []) + (tracks.sound?.codec == .opus ? ["Opus"] : [])
    }

    private mutating func createStream(now: Instant) {
        step = .createStream
        askedAt = now
        writer.setChunkSize(Self.ourChunkSize, into: &output)
        let key = AMF0Value.string(address.key.text)
        send(RTMPCommand("releaseStream", transaction: 2, arguments: [key]))
        send(RTMPCommand("FCPublish", transaction: 3, arguments: [key]))
        send(RTMPCommand("createStream", transaction: Self.createTransaction))
    }

    private mutating func publish(now: Instant) {
        step = .publish
        askedAt = now
        send(
            RTMPCommand("publish", transaction: 5, arguments: [.string(address.key.text), .string("live")]),
            streamID: streamID)
    }

    /// Queues a message of the published stream, on the chunk stream of its type.
    mutating func send(_ message: RTMPMessage) {
        var message = message
        message.streamID = streamID
        let chunkStream =
            switch message.type {
            case .video: RTMP.videoChunkStream
            case .sound: RTMP.soundChunkStream
            default: RTMP.dataChunkStream
            }
        send(message, on: chunkStream)
    }

    /// Ends the stream at the server.
    mutating func end() {
        guard step == .publishing else { return }
        send(RTMPCommand("FCUnpublish", transaction: 6, arguments: [.string(address.key.text)]))
        send(RTMPCommand("deleteStream", transaction: 7, arguments: [.number(Double(streamID))]))
    }

    // MARK: - Receiving

    private mutating func take(_ message: RTMPMessage, now: Instant) throws(RTMPFailure) {
        if RTMPControl.reads(message.type) {
            guard let control = RTMPControl(message) else { throw .malformed(.malformedControl) }
            take(control)
            return
        }
        let command: RTMPCommand?
        do throws(AMF0Fault) {
            command = try RTMPCommand(message)
        } catch {
            throw .violation
        }
        if let command { try take(command, now: now) }
    }

    private mutating func take(_ control: RTMPControl) {
        switch control {
        case .windowSize(let size): window = size
        case .acknowledgement(let count): acknowledgement = count
        case .peerBandwidth(let size, _):
            // The server's limit is answered with the window size but not applied, as the broadcast's queue and TCP
            // limit the bytes in flight.
            guard size != toldWindow else { break }
            toldWindow = size
            send(control: .windowSize(max(size, 1)))
        case .ping(let value): send(control: .pong(value))
        case .streamBegin, .streamEnd, .pong, .other: break
        }
    }

    private mutating func take(_ command: RTMPCommand, now: Instant) throws(RTMPFailure) {
        switch (command.name, step) {
        case ("_result", .connect) where command.transaction == 1:
            measure(now)
            // Handle an error here, too, as some servers refuse with a `_result`.
            if command.level == "error" { throw RTMPFailure(code: command.code, description: command.explanation) }
            createStream(now: now)
        case ("_error", .connect) where command.transaction == 1:
            throw RTMPFailure(code: command.code, description: command.explanation)
        case ("_result", .createStream) where command.transaction == Self.createTransaction:
            measure(now)
            guard let number = command.arguments.first?.number, let id = UInt32(exactly: number) else {
                throw .violation
            }
            streamID = id
            publish(now: now)
        case ("_error", .createStream) where command.transaction == Self.createTransaction,
            ("_error", .publish) where command.transaction == 5:
            throw RTMPFailure(code: command.code, description: command.explanation)
        case ("onStatus", _):
            if command.level == "error" { throw RTMPFailure(code: command.code, description: command.explanation) }
            if command.code == "NetStream.Publish.Start", step == .publish {
                step = .publishing
            } else if step == .publishing, command.code == "NetStream.Unpublish.Success" {
                throw .busy
            }
        case ("close", _): throw .busy
        default: break
        }
    }

    private mutating func measure(_ now: Instant) { roundTrip = now - askedAt }
}
