/// The congestion window: the most that may be in flight (RFC 9260 section 7.2), in bytes of payload.
struct CongestionWindow: Sendable {
    /// The largest window in bytes. No path holds more, and the arithmetic stays small.
    private static let ceiling = 64 << 20

    private(set) var size: Int
    private(set) var threshold = ceiling
    private var partial = 0
    /// The TSN whose acknowledgement ends fast recovery.
    private(set) var recoversAt: TransmissionSequence?
    private let packetSize: Int

    init(packetSize: Int) {
        self.packetSize = packetSize
        size = min(4 * packetSize, max(2 * packetSize, 4404))
    }

    /// Grows the window as the cumulative TSN advances.
    ///
    /// - Parameter flight: the bytes in flight before the advance. Only a window that was full grows.
    mutating func acknowledged(_ bytes: Int, flight: Int, cumulative: TransmissionSequence) {
        if let end = recoversAt {
            guard cumulative >= end else { return }
            recoversAt = nil
        }
        let isFull = flight + packetSize > size
        if size <= threshold {
            // Up to two packets, as most acknowledgements stand for two (RFC 9260 section 7.2.1, RFC 3465).
            if isFull { size = min(size + min(bytes, 2 * packetSize), Self.ceiling) }
        } else {
            partial += bytes
            if partial >= size, isFull {
                partial -= size
                size = min(size + packetSize, Self.ceiling)
            } else if partial >= size {
                partial = size
            }
        }
    }

    /// Shrinks the window after a loss. Returns `true` if the loss is a new one; `false` during the recovery from an
    /// earlier one.
    mutating func lost(newest: TransmissionSequence) -> Bool {
        guard recoversAt == nil else { return false }
        threshold = max(size / 2, 4 * packetSize)
        size = threshold
        partial = 0
        recoversAt = newest
        return true
    }

    mutating func timedOut() {
        threshold = max(size / 2, 4 * packetSize)
        size = packetSize
        partial = 0
        recoversAt = nil
    }

    /// Shrinks the window after a pause in sending longer than a timeout: the path's capacity is no longer known.
    mutating func rested() {
        size = max(size / 2, min(size, 4 * packetSize))
        partial = 0
    }
}
