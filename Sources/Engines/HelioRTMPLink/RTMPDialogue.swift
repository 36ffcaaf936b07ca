import HelioCore
import HelioRTMP

/// One connection to a server: handshake, commands, and what keeps it going, up to its end (RTMP sections 5.2 and 7).
///
/// ```
/// C0 C1 →                       | connect →                     | releaseStream, FCPublish, createStream →
///       ← S0 S1 S2   C2 →       |   ← window, bandwidth, _result|   ← _result   publish →   ← onStatus: it goes
/// ```
struct RTMPDialogue {
    private enum Step {
        /// S0 and S1 are awaited.
        case versions
        /// S2 is.
        case echo
        case connect
        case createStream
        case publish
        case publishing
    }

    /// What a server may say at once: onStatus with a long text.
    private static let messageLimit = 64 << 10
    private static let ourChunkSize = 4096
    private static let ourWindow: UInt32 = 2_500_000
    private static let createTransaction = 4.0

    private let stream: RTMPStream
    private var step = Step.versions
    private var handshake: [UInt8] = []
    private var reader = RTMPChunkReader(messageLimit: messageLimit)
    private var writer = RTMPChunkWriter()
    private var streamID: UInt32 = 0
    /// What the server wants to hear of, and has heard of.
    private var window: UInt32 = 0
    private var received: UInt32 = 0
    private var acknowledged: UInt32 = 0
    private var toldWindow: UInt32 = 0
    private var askedAt = Instant.zero

    /// What is to be sent; the owner takes it.
    var output: [UInt8] = []
    /// The time that the server took to answer, since this was last taken.
    var roundTrip: Duration?
    /// What the server has acknowledged since this was last taken.
    var acknowledgement: UInt32?

    /// - Parameter random: the bytes of C1 that mean nothing; 1528 of them.
    init(_ stream: RTMPStream, random: [UInt8]) {
        self.stream = stream
        output = [RTMP.version] + [UInt8](repeating: 0, count: 8) + random
    }

    var isPublishing: Bool { step == .publishing }

    /// What the server is waited for; `nil` once it takes the stream.
    var wait: RTMPWait? {
        switch step {
        case .versions, .echo: .handshake
        case .connect: .connect
        case .createStream: .createStream
        case .publish: .publish
        case .publishing: nil
        }
    }

    /// Takes what the server has sent.
    mutating func receive(_ bytes: [UInt8], now: Instant) throws(RTMPEnd) {
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
            send(RTMPControl.acknowledgement(received).message)
        }
    }

    private mutating func next() throws(RTMPEnd) -> RTMPMessage? {
        do throws(RTMPChunkFault) {
            return try reader.next()
        } catch {
            throw .broken(.malformed(error))
        }
    }

    /// Gives what follows the handshake; `nil` where it is not over.
    private mutating func shakeHands(_ bytes: [UInt8], now: Instant) throws(RTMPEnd) -> [UInt8]? {
        handshake += bytes
        if step == .versions {
            // Others would be encrypted, or are what some other protocol says.
            if let version = handshake.first, version != RTMP.version { throw .broken(.violation) }
            guard handshake.count >= 1 + RTMP.handshakeSize else { return nil }
            // C2: what S1 was. Its second field is the time at which that was read; 0 is as good as any.
            output += handshake[1...RTMP.handshakeSize]
            step = .echo
        }
        // What S2 repeats is not looked at: some servers sign it instead.
        let end = 1 + 2 * RTMP.handshakeSize
        guard handshake.count >= end else { return nil }
        let rest = Array(handshake[end...])
        handshake = []
        connect(now: now)
        return rest
    }

    // MARK: - Ours

    private mutating func send(_ message: RTMPMessage, on chunkStream: Int = RTMP.controlChunkStream) {
        writer.write(message, on: chunkStream, into: &output)
    }

    private mutating func send(_ command: RTMPCommand, streamID: UInt32 = 0) {
        send(command.message(streamID: streamID), on: RTMP.commandChunkStream)
    }

    private mutating func connect(now: Instant) {
        step = .connect
        askedAt = now
        var properties: [AMF0Property] = [
            .init("app", .string(stream.address.application)),
            .init("type", .string("nonprivate")),
            .init("flashVer", .string("FMLE/3.0 (compatible; Heliograph)")),
            .init("tcUrl", .string(stream.address.connectURL)),
        ]
        let enhanced = stream.enhancedCodecs
        if !enhanced.isEmpty { properties.append(.init("fourCcList", .array(enhanced.map { .string($0) }))) }
        send(RTMPCommand("connect", transaction: 1, object: .object(properties)))
    }

    private mutating func createStream(now: Instant) {
        step = .createStream
        askedAt = now
        writer.setChunkSize(Self.ourChunkSize, into: &output)
        let key = AMF0Value.string(stream.key.text)
        send(RTMPCommand("releaseStream", transaction: 2, arguments: [key]))
        send(RTMPCommand("FCPublish", transaction: 3, arguments: [key]))
        send(RTMPCommand("createStream", transaction: Self.createTransaction))
    }

    private mutating func publish(now: Instant) {
        step = .publish
        askedAt = now
        send(
            RTMPCommand("publish", transaction: 5, arguments: [.string(stream.key.text), .string("live")]),
            streamID: streamID)
    }

    /// Sends a message of the stream that is published.
    mutating func send(_ type: RTMPMessageType, at time: UInt32, _ payload: [UInt8]) {
        let chunkStream = type == .video ? RTMP.videoChunkStream : RTMP.soundChunkStream
        send(RTMPMessage(type, streamID: streamID, timestamp: time, payload: payload), on: chunkStream)
    }

    mutating func send(_ metadata: RTMPMetadata) {
        send(metadata.message(streamID: streamID), on: RTMP.dataChunkStream)
    }

    /// Says that nothing follows.
    mutating func end() {
        guard step == .publishing else { return }
        send(RTMPCommand("FCUnpublish", transaction: 6, arguments: [.string(stream.key.text)]))
        send(RTMPCommand("deleteStream", transaction: 7, arguments: [.number(Double(streamID))]))
    }

    // MARK: - Theirs

    private mutating func take(_ message: RTMPMessage, now: Instant) throws(RTMPEnd) {
        if RTMPControl.reads(message.type) {
            guard let control = RTMPControl(message) else { throw .broken(.malformed(.malformedControl)) }
            take(control)
            return
        }
        let command: RTMPCommand?
        do throws(AMF0Fault) {
            command = try RTMPCommand(message)
        } catch {
            throw .broken(.violation)
        }
        if let command { try take(command, now: now) }
    }

    private mutating func take(_ control: RTMPControl) {
        switch control {
        case .windowSize(let size): window = size
        case .acknowledgement(let count): acknowledgement = count
        case .peerBandwidth(let size, _):
            // What it has on the way is for the queue and TCP; it is told that it was heard.
            guard size != toldWindow else { break }
            toldWindow = size
            send(RTMPControl.windowSize(max(size, 1)).message)
        case .ping(let value): send(RTMPControl.pong(value).message)
        case .streamBegin, .streamEnd, .pong, .other: break
        }
    }

    private mutating func take(_ command: RTMPCommand, now: Instant) throws(RTMPEnd) {
        switch (command.name, step) {
        case ("_result", .connect) where command.transaction == 1:
            measure(now)
            // Some say no in the form of a yes.
            if command.level == "error" { throw RTMPEnd(code: command.code) }
            createStream(now: now)
        case ("_error", .connect) where command.transaction == 1: throw RTMPEnd(code: command.code)
        case ("_result", .createStream) where command.transaction == Self.createTransaction:
            measure(now)
            guard let number = command.arguments.first?.number, let id = UInt32(exactly: number) else {
                throw .broken(.violation)
            }
            streamID = id
            publish(now: now)
        case ("_error", .createStream) where command.transaction == Self.createTransaction,
            ("_error", .publish) where command.transaction == 5:
            throw RTMPEnd(code: command.code)
        case ("onStatus", _):
            if command.level == "error" { throw RTMPEnd(code: command.code) }
            if command.code == "NetStream.Publish.Start", step == .publish {
                step = .publishing
            } else if step == .publishing, command.code == "NetStream.Unpublish.Success" {
                throw .broken(.busy)
            }
        case ("close", _): throw .broken(.busy)
        default: break
        }
    }

    private mutating func measure(_ now: Instant) { roundTrip = now - askedAt }
}
