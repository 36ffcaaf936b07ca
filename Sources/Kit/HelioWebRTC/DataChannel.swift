public import HelioCore
internal import HelioPeer
internal import HelioSCTP
private import Synchronization

/// A data channel of a ``PeerConnection``: it carries messages in both directions, and delivers each as a whole.
///
/// Two values are equal if they are the same channel.
public final class DataChannel: Sendable, Hashable {
    /// The delivery guarantees, subprotocol and number of a channel.
    public struct Options: Sendable, Hashable {
        /// The policy for retransmitting lost messages.
        public enum Reliability: Sendable, Hashable {
            /// A lost message is retransmitted until it arrives.
            case reliable
            /// A lost message is retransmitted this many times at most.
            case retransmissions(Int)
            /// A lost message is retransmitted for this long at most.
            case lifetime(Duration)
        }

        /// True if messages arrive in the order in which they were sent.
        public var isOrdered = true
        /// The policy for retransmitting lost messages.
        public var reliability = Reliability.reliable
        /// The name of the protocol spoken on the channel, for the peer's app.
        public var subprotocol = ""
        /// The channel's number, 0 to 65534, if both ends open the channel themselves with the same number (negotiated
        /// out of band); `nil` lets the connection choose one and announce the channel to the peer.
        public var number: Int?

        /// Makes options for an ordered and reliable channel.
        public init() {}
    }

    /// The label that the opening side gave to the channel.
    public let label: String
    /// The name of the protocol spoken on the channel; empty if there is none.
    public let subprotocol: String
    /// The channel's guarantees, whichever side opened it.
    public let options: Options
    /// True if the peer opened the channel.
    public let isByPeer: Bool

    let id: PeerChannelID
    private let link: PeerLink

    private let outbox = Mutex(ChannelOutbox())

    init(_ id: PeerChannelID, _ description: DataChannelDescription, isByPeer: Bool, link: PeerLink) {
        self.id = id
        label = description.label
        subprotocol = description.subprotocol
        options = Options(description)
        self.isByPeer = isByPeer
        self.link = link
    }

    /// Queues a message; waits for room first if some 256 KiB are queued. When this method returns, the peer has not
    /// necessarily received the message.
    ///
    /// Throws `ended` if the channel is not open yet or not open any more, `invalidArgument` for a message that is
    /// longer than the peer accepts.
    public nonisolated(nonsending) func send(_ message: DataMessage) async throws(HelioError) {
        let coded: DataChannelMessage =
            switch message {
            case .text(let text): .text(Array(text.utf8))
            case .binary(let bytes): .binary(bytes)
            }
        while true {
            switch outbox.withLock({ $0.put(coded) }) {
            case .taken(let isFirst):
                if isFirst { link.post { [self] in flush($0, $1) } }
                return
            case .full: await waitForRoom()
            case .notOpen: throw HelioError(.ended, "The channel '\(label)' is not open")
            case .tooLong:
                throw HelioError(
                    .invalidArgument,
                    "The message of \(coded.bytes.count) bytes is longer than the peer takes: cut it up")
            }
        }
    }

    private nonisolated(nonsending) func waitForRoom() async {
        await withCheckedContinuation { continuation in
            let waits = outbox.withLock { $0.wait(continuation) }
            if !waits { continuation.resume() }
        }
    }

    /// Returns the number of bytes that are queued and not sent yet.
    public func bufferedAmount() async -> Int {
        await link.read(orElse: 0) { [self] in $0.bufferedAmount(of: id) + outbox.withLock(\.bytes) }
    }

    /// Closes the channel in both directions. Messages queued before are still sent; the event `channelClosed` follows
    /// when the channel is closed.
    public func close() async {
        for sender in outbox.withLock({ $0.beginClosing() }) { sender.resume() }
        await link.update { [self] in flush($0, $1) }
    }

    // MARK: On the event loop

    /// Opens the outbox for messages of at most `longest` bytes.
    func open(longest: Int) { outbox.withLock { $0.open(longest: longest) } }

    /// Passes queued messages to the engine while the engine has room for them.
    func flush(_ engine: PeerEngine, _ now: Instant) {
        while let message = outbox.withLock({ $0.next() }) {
            do throws(DataChannelError) {
                try engine.send(message, on: id, now: now)
            } catch .bufferFull {
                // The engine reports when it has room.
                break
            } catch {
                // The channel was closed meanwhile; this message and all others are discarded.
            }
            outbox.withLock { $0.removeNext() }
        }
        let (isDone, senders) = outbox.withLock { ($0.isDone, $0.takeSenders()) }
        if isDone { engine.closeChannel(id, now: now) }
        for sender in senders { sender.resume() }
    }

    /// Ends the channel: discards queued messages and refuses new ones.
    func end() {
        for sender in outbox.withLock({ $0.close() }) { sender.resume() }
    }

    /// True if both are the same channel.
    public static func == (a: DataChannel, b: DataChannel) -> Bool { a === b }
    /// Hashes the channel's identity.
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
