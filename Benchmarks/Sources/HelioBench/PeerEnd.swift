import HelioCore
import HelioPeer
import HelioSCTP

/// One end of a measured connection: what it has told, and the datagrams that it wants sent.
final class PeerEnd {
    let connection: PeerEngine
    let address: TransportAddress
    var outbox: [[UInt8]] = []
    /// Trickled, and not yet told to the other end.
    var candidates: [String?] = []
    private(set) var channel: PeerChannelID?
    private(set) var messages = 0
    private(set) var bytes = 0
    private(set) var datagrams = 0
    /// What it cost of a core.
    var busy: Duration = .zero
    /// More may be sent.
    var hasRoom = true
    var failure: String?

    init(_ connection: PeerEngine, at address: TransportAddress) {
        self.connection = connection
        self.address = address
    }

    var isReady: Bool { connection.state == .connected && channel != nil }

    /// Takes all that the connection has to say.
    func drain() {
        while let output = connection.poll() {
            switch output {
            case .datagram(let bytes, _, _):
                datagrams += 1
                outbox.append(bytes)
            case .event(let event): note(event)
            default: break
            }
        }
    }

    private func note(_ event: PeerConnectionEvent) {
        switch event {
        case .candidate(let text): candidates.append(text)
        case .failed(let reason): failure = "\(reason)"
        case .channelOpened(let opened, _, _): channel = opened
        case .message(_, let message):
            messages += 1
            bytes += message.bytes.count
        case .bufferedAmountLow: hasRoom = true
        default: break
        }
    }

    /// Sends until there is no room, at most `most` messages, and tells how many it took.
    func fill(_ message: DataChannelMessage, most: Int, now: Instant) -> Int {
        guard let channel else { return 0 }
        var count = 0
        while count < most {
            do throws(DataChannelError) {
                try connection.send(message, on: channel, now: now)
            } catch {
                precondition(error == .bufferFull, "cannot send: \(error)")
                hasRoom = false
                break
            }
            count += 1
        }
        drain()
        return count
    }
}
