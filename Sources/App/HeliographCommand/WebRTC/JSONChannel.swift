private import HelioCore
private import HelioOpenSSL
internal import HelioWebRTC

/// A channel of a JSON-driven peer. It sends messages on command, and checks that they are echoed; it echoes all other
/// messages.
actor JSONChannel {
    /// A `send` command: `count` messages of `bytes` bytes each, generated from `seed` (see `PeerPayload`).
    struct Sending: Sendable {
        var bytes: Int
        var count: Int
        var seed: Int
        var isText: Bool
    }

    /// The error for an echo that differs from the sent message, or for a message that can't be echoed.
    struct WrongEcho: Error, CustomStringConvertible {
        let description: String
    }

    private struct Expected {
        var message: DataMessage
        var sending: Int
    }

    let channel: DataChannel
    private let ordered: Bool
    private let waitsForAll: Bool
    private let echo: ChannelEcho
    private let onFailure: @Sendable (any Error) -> Void
    private var isOpen = false
    private var waiting: [Sending] = []
    private var isSending = false
    private var expected: [Expected] = []
    private var left: [Int: (left: Int, count: Int)] = [:]
    private var nextSending = 0
    private(set) var sent = PeerCounts()
    private(set) var echoes = 0

    /// - Parameter onFailure: called with errors of sending.
    init(_ channel: DataChannel, onFailure: @escaping @Sendable (any Error) -> Void) {
        self.channel = channel
        self.onFailure = onFailure
        echo = ChannelEcho(channel, onFailure: onFailure)
        ordered = channel.options.isOrdered
        waitsForAll = channel.options.isOrdered && channel.options.reliability == .reliable
    }

    func opened() {
        guard !isOpen else { return }
        isOpen = true
        var retransmits: Int?
        if case .retransmissions(let count) = channel.options.reliability { retransmits = count }
        PeerLines.say(
            "channel",
            [
                "label": channel.label, "ordered": ordered, "maxRetransmits": retransmits,
                "protocol": channel.subprotocol, "incoming": channel.isByPeer,
            ])
        startSending()
    }

    /// Queues messages to send, in the order of the calls.
    func send(_ sending: Sending) {
        waiting.append(sending)
        startSending()
    }

    private func startSending() {
        guard isOpen, !isSending, !waiting.isEmpty else { return }
        isSending = true
        Task {
            do {
                try await sendAll()
            } catch {
                onFailure(error)
            }
        }
    }

    private func sendAll() async throws {
        defer { isSending = false }
        while !waiting.isEmpty {
            let sending = waiting.removeFirst()
            nextSending += 1
            let id = nextSending
            left[id] = (sending.count, sending.count)
            for number in 0..<sending.count {
                let message = PeerPayload.message(
                    seed: sending.seed, number: number, bytes: sending.bytes, isText: sending.isText)
                expected.append(Expected(message: message, sending: id))
                try await channel.send(message)
                sent.add(message)
            }
        }
    }

    func take(_ message: DataMessage) async throws {
        guard expected.isEmpty else { return try check(message) }
        let bytes = message.bytes
        let digest = Hexadecimal.text(OpenSSLCrypto.sha256(bytes))
        PeerLines.say(
            "message", ["label": channel.label, "bytes": bytes.count, "sha256": digest, "isText": message.isText])
        sent.add(message)
        guard await echo.put(message) else {
            throw WrongEcho(description: "so much waits on '\(channel.label)' that a message is not sent back")
        }
    }

    /// Checks an echo. It has to equal the next expected message or, on an unordered or unreliable channel, any
    /// expected message.
    private func check(_ message: DataMessage) throws {
        let place = expected.firstIndex { $0.message == message }
        guard let place, place == 0 || !waitsForAll else {
            throw WrongEcho(
                description: "what came back on '\(channel.label)' is not what was sent (\(message.bytes.count) bytes)")
        }
        let sending = expected.remove(at: place).sending
        echoes += 1
        guard var state = left[sending] else { return }
        state.left -= 1
        left[sending] = state.left == 0 ? nil : state
        if state.left == 0 { PeerLines.say("echoed", ["label": channel.label, "count": state.count]) }
    }
}

/// A count of messages, and of their bytes.
struct PeerCounts: Sendable {
    var messages = 0
    var bytes = 0

    mutating func add(_ message: DataMessage) {
        messages += 1
        bytes += message.bytes.count
    }

    mutating func add(_ other: PeerCounts) {
        messages += other.messages
        bytes += other.bytes
    }
}

extension DataMessage {
    var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .binary(let bytes): bytes
        }
    }

    var isText: Bool { if case .text = self { true } else { false } }
}
