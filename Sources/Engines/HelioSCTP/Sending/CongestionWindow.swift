/// The congestion window: the maximum number of payload bytes in flight (RFC 9260 section 7.2).
struct CongestionWindow: Sendable {
    /// The maximum window in bytes, beyond the bandwidth-delay product of practically every path.
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

    /// Increases the window when the cumulative TSN advances.
    ///
    /// - Parameter flight: the bytes in flight before the advance. Only a full window is increased.
    mutating func acknowledged(_ bytes: Int, flight: Int, cumulative: TransmissionSequence) {
        if let end = recoversAt {
            guard cumulative >= end else { return }
            recoversAt = nil
        }
        let isFull = flight + packetSize > size
        if size <= threshold {
            // Increase by at most two packets, as most SACKs acknowledge two packets (RFC 9260 section 7.2.1, RFC
            // 3465).
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

    /// Reduces the window after a loss, and begins fast recovery. Returns false, without a reduction, if fast recovery
    /// is already active.
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

    /// Reduces the window after an idle time longer than the retransmission timeout, as the path's capacity may have
    /// changed.
    mutating func rested() {
        size = max(size / 2, min(size, 4 * packetSize))
        partial = 0
    }
}
