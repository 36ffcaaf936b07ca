internal import DequeModule

/// The sent fragments that are not cumulatively acknowledged, in the order of their TSNs.
struct Outstanding: Sendable {
    /// The maximum number of outstanding fragments: a quarter of the 32768 sequence numbers that one stream may have
    /// outstanding, and half of `ReceivedMap.reach`.
    static let capacity = 8192

    /// The peer's last cumulative TSN.
    private(set) var cumulative: TransmissionSequence
    private var pieces = Deque<OutgoingPiece>()
    /// The number of bytes in flight: sent, and neither acknowledged nor considered lost.
    private(set) var flight = 0
    /// The payload bytes of all fragments, to limit memory.
    private(set) var bytes = 0
    private(set) var acknowledgedByGap = 0
    private(set) var abandoned = 0
    /// The TSNs of lost fragments, mostly in order; some may have been acknowledged or retransmitted since.
    private var lostOnes = Deque<TransmissionSequence>()
    private var lostCount = 0

    /// - Parameter initial: the TSN of the first fragment.
    init(initial: TransmissionSequence) {
        cumulative = initial - 1
    }

    var count: Int { pieces.count }
    var isEmpty: Bool { pieces.isEmpty }
    var isFull: Bool { pieces.count >= Self.capacity }
    var newest: TransmissionSequence { cumulative + pieces.count }
    var hasLost: Bool { lostCount > 0 }

    subscript(tsn: TransmissionSequence) -> OutgoingPiece { pieces[index(tsn)] }

    func state(of tsn: TransmissionSequence) -> OutgoingPiece.State { pieces[index(tsn)].state }

    func isInFlight(_ tsn: TransmissionSequence, sentBefore other: TransmissionSequence) -> Bool {
        let piece = pieces[index(tsn)]
        return piece.state == .inFlight && piece.newestWhenSent < other
    }

    func contains(_ tsn: TransmissionSequence) -> Bool { tsn > cumulative && tsn <= newest }

    mutating func append(_ piece: OutgoingPiece) {
        pieces.append(piece)
        flight += piece.size
        bytes += piece.size
    }

    /// Removes the oldest fragment after a cumulative acknowledgement. Returns it with its number of newly acknowledged
    /// bytes, which is 0 if a gap block had acknowledged it before.
    mutating func acknowledgeFirst() -> (piece: OutgoingPiece, newBytes: Int)? {
        guard let piece = pieces.popFirst() else { return nil }
        cumulative += 1
        bytes -= piece.size
        switch piece.state {
        case .inFlight: flight -= piece.size
        case .lost: lostCount -= 1
        case .acknowledged: acknowledgedByGap -= 1
        case .abandoned: abandoned -= 1
        }
        return (piece, piece.state == .acknowledged || piece.state == .abandoned ? 0 : piece.size)
    }

    /// Marks a fragment as acknowledged by a gap block.
    ///
    /// - Returns: the number of newly acknowledged bytes.
    mutating func acknowledgeByGap(_ tsn: TransmissionSequence) -> Int {
        let size = pieces[index(tsn)].size
        switch pieces[index(tsn)].state {
        case .inFlight: flight -= size
        case .lost: lostCount -= 1
        case .acknowledged, .abandoned: return 0
        }
        acknowledgedByGap += 1
        pieces[index(tsn)].state = .acknowledged
        return size
    }

    /// Revokes a gap acknowledgement, as the receiver has discarded the fragment (RFC 9260 section 6.2.1).
    mutating func takeBack(_ tsn: TransmissionSequence) {
        guard self[tsn].state == .acknowledged else { return }
        acknowledgedByGap -= 1
        setLost(tsn)
    }

    /// Counts a missing report. Returns true if the fragment counts as lost by this report: from the third report on,
    /// unless it counted as lost before.
    mutating func miss(_ tsn: TransmissionSequence) -> Bool {
        let place = index(tsn)
        pieces[place].misses += 1
        guard pieces[place].misses >= 3, pieces[place].state == .inFlight else { return false }
        flight -= pieces[place].size
        setLost(tsn)
        return true
    }

    /// Marks all fragments in flight as lost, after a timeout.
    mutating func loseAll() {
        lostOnes.removeAll()
        lostCount = 0
        flight = 0
        for index in 0..<pieces.count where pieces[index].state == .inFlight || pieces[index].state == .lost {
            setLost(cumulative + 1 + index)
        }
    }

    /// The TSN of the next fragment to retransmit; `nil` if none is lost.
    mutating func firstLost() -> TransmissionSequence? {
        while let tsn = lostOnes.first {
            if contains(tsn), self[tsn].state == .lost { return tsn }
            _ = lostOnes.popFirst()
        }
        return nil
    }

    mutating func sentAgain(_ tsn: TransmissionSequence) {
        lostCount -= 1
        flight += self[tsn].size
        let place = index(tsn)
        pieces[place].state = .inFlight
        pieces[place].sends &+= 1
        pieces[place].misses = 0
        pieces[place].newestWhenSent = newest
    }

    /// Abandons all sent fragments of the message with the fragment `tsn`.
    ///
    /// - Returns: false if the rest of the message is still in the send queue.
    mutating func abandonMessage(of tsn: TransmissionSequence) -> Bool {
        var first = tsn
        while !self[first].flags.contains(.beginning), contains(first - 1) { first = first - 1 }
        var next = first
        while contains(next) {
            abandon(next)
            if self[next].flags.contains(.end) { return true }
            next += 1
        }
        return false
    }

    /// Appends an abandoned, empty last fragment for the unsent rest of an abandoned message. If all sent fragments
    /// arrive nevertheless, only a FORWARD-TSN up to this TSN makes the peer stop waiting for the rest.
    mutating func appendAbandoned(_ piece: OutgoingPiece) {
        var rest = piece
        rest.message.payload = []
        rest.range = 0..<0
        rest.flags.insert(.end)
        rest.flags.remove(.beginning)
        rest.state = .abandoned
        pieces.append(rest)
        abandoned += 1
    }

    private mutating func abandon(_ tsn: TransmissionSequence) {
        switch self[tsn].state {
        case .inFlight: flight -= self[tsn].size
        case .lost: lostCount -= 1
        case .acknowledged: acknowledgedByGap -= 1
        case .abandoned: return
        }
        abandoned += 1
        let place = index(tsn)
        bytes -= pieces[place].size
        pieces[place].state = .abandoned
        // Free the payload, as the fragment is never retransmitted.
        pieces[place].message.payload = []
        pieces[place].range = 0..<0
    }

    private mutating func setLost(_ tsn: TransmissionSequence) {
        let place = index(tsn)
        pieces[place].state = .lost
        pieces[place].misses = 0
        lostCount += 1
        lostOnes.append(tsn)
    }

    private func index(_ tsn: TransmissionSequence) -> Int { tsn - cumulative - 1 }
}
