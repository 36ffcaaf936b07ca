import HelioCore
import HelioPeer
import HelioSCTP

/// One end of a measured connection, with its events and pending datagrams.
final class PeerEnd {
    let connection: PeerEngine
    let address: TransportAddress
    var outbox: [[UInt8]] = []
    /// The trickled candidates that the other end has not received yet.
    var candidates: [String?] = []
    private(set) var channel: PeerChannelID?
    private(set) var messages = 0
    private(set) var bytes = 0
    private(set) var datagrams = 0
    /// The CPU time used by this end.
    var busy: Duration = .zero
    /// Whether the channel accepts more messages.
    var hasRoom = true
    var failure: String?

    init(_ connection: PeerEngine, at address: TransportAddress) {
        self.connection = connection
        self.address = address
    }

    var isReady: Bool { connection.state == .connected && channel != nil }

    /// Processes all outputs of the connection.
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

    /// Sends up to `most` messages while there is room; returns the number of accepted ones.
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
