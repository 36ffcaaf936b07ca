internal import HelioCore
internal import HelioWebRTC

/// Echoes messages on a channel, in order, without blocking the reader of the channel's events.
actor ChannelEcho {
    /// The maximum number of queued bytes, including an overhead for each message.
    private static let mostBytes = 64 << 20
    private static let overhead = 64

    private let channel: DataChannel
    private let onFailure: @Sendable (HelioError) -> Void
    private var waiting: [DataMessage] = []
    private var bytes = 0
    private var isSending = false

    /// - Parameter onFailure: called if a message can't be sent, unless the channel is closed.
    init(_ channel: DataChannel, onFailure: @escaping @Sendable (HelioError) -> Void) {
        self.channel = channel
        self.onFailure = onFailure
    }

    /// Queues a message to be echoed.
    ///
    /// - Returns: false if the queue is full and the message is dropped.
    func put(_ message: DataMessage) -> Bool {
        let size = message.bytes.count + Self.overhead
        guard bytes + size <= Self.mostBytes else { return false }
        bytes += size
        waiting.append(message)
        if !isSending {
            isSending = true
            Task { await pump() }
        }
        return true
    }

    private func pump() async {
        while !waiting.isEmpty {
            let batch = waiting
            waiting = []
            for message in batch {
                do {
                    try await channel.send(message)
                } catch {
                    if error.code != .ended { onFailure(error) }
                }
                bytes -= message.bytes.count + Self.overhead
            }
        }
        isSending = false
    }
}
