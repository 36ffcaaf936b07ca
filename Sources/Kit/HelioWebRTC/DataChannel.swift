public import HelioCore
internal import HelioPeer
internal import HelioSCTP
private import Synchronization

/// A data channel of a ``PeerConnection``: messages both ways, each whole.
///
/// Two values are equal where they are the same channel.
public final class DataChannel: Sendable, Hashable {
    /// What a channel promises.
    public struct Options: Sendable, Hashable {
        /// What becomes of a message that gets lost on the way.
        public enum Reliability: Sendable, Hashable {
            /// It is sent until it arrives.
            case reliable
            /// It is sent again so often at most.
            case retransmissions(Int)
            /// It is sent again for so long at most.
            case lifetime(Duration)
        }

        /// Messages arrive in the order in which they were sent.
        public var isOrdered = true
        /// What becomes of a message that gets lost.
        public var reliability = Reliability.reliable
        /// A name for what is spoken, for the peer's app.
        public var subprotocol = ""
        /// Where both ends open the channel by themselves: the number that both use, 0 to 65534.
        public var number: Int?

        /// Ordered and reliable.
        public init() {}
    }

    /// As the one who opened it named it.
    public let label: String
    /// A name for what is spoken; empty where there is none.
    public let subprotocol: String
    /// What it promises, whoever opened it.
    public let options: Options
    /// It was the peer who opened it.
    public let isByPeer: Bool

    let id: PeerChannelID
    private let link: PeerLink

    private struct Room {
        var isFull = false
        var isClosed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let room = Mutex(Room())

    init(_ id: PeerChannelID, _ description: DataChannelDescription, isByPeer: Bool, link: PeerLink) {
        self.id = id
        label = description.label
        subprotocol = description.subprotocol
        options = Options(description)
        self.isByPeer = isByPeer
        self.link = link
    }

    /// Sends a message; where too much waits already, it waits for room first. That it returns does not mean that the
    /// peer has the message.
    ///
    /// Throws `ended` where the channel is not open or not any more, `invalidArgument` for a message that is longer
    /// than the peer takes.
    public func send(_ message: DataMessage) async throws(HelioError) {
        let coded: DataChannelMessage =
            switch message {
            case .text(let text): .text(Array(text.utf8))
            case .binary(let bytes): .binary(bytes)
            }
        while !(try await trySend(coded)) { await waitForRoom() }
    }

    /// - Returns: `false` where there is no room.
    private func trySend(_ message: DataChannelMessage) async throws(HelioError) -> Bool {
        do {
            return try await link.run { [self] engine, now in
                do {
                    try engine.send(message, on: id, now: now)
                    return true
                } catch DataChannelError.bufferFull {
                    room.withLock { $0.isFull = true }
                    return false
                }
            }
        } catch DataChannelError.messageTooLong {
            throw HelioError(
                .invalidArgument, "The message of \(message.bytes.count) bytes is longer than the peer takes: cut it up"
            )
        } catch {
            throw HelioError(.ended, "The channel '\(label)' is not open", cause: error)
        }
    }

    private func waitForRoom() async {
        await withCheckedContinuation { continuation in
            let isOver = room.withLock { room in
                guard room.isFull, !room.isClosed else { return true }
                room.waiting.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// On the loop: there is room again, or there never will be.
    func makeRoom(isClosed: Bool) {
        let waiting = room.withLock { room in
            room.isFull = false
            if isClosed { room.isClosed = true }
            defer { room.waiting = [] }
            return room.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Bytes that have not been sent yet.
    public func bufferedAmount() async -> Int { await link.read(orElse: 0) { [id] in $0.bufferedAmount(of: id) } }

    /// Closes the channel in both directions. What was sent still goes; `channelClosed` tells when it is done.
    public func close() async { await link.update { [id] in $0.closeChannel(id, now: $1) } }

    /// The same channel.
    public static func == (a: DataChannel, b: DataChannel) -> Bool { a === b }
    /// By identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension DataChannel.Options {
    init(_ description: DataChannelDescription) {
        isOrdered = description.isOrdered
        subprotocol = description.subprotocol
        reliability =
            switch description.reliability {
            case .reliable: .reliable
            case .retransmissions(let count): .retransmissions(Int(count))
            case .lifetime(let time): .lifetime(time)
            }
    }
}
