internal import DequeModule

/// The pieces that have TSNs and are not cumulatively acknowledged, oldest first: a TSN's index is its distance from
/// the last cumulative acknowledgement.
struct Outstanding: Sendable {
    /// The most outstanding pieces: a quarter of the 32768 sequence numbers that one stream can have outstanding, and
    /// within the reach of any receiver's map.
    static let capacity = 8192

    /// The last cumulative TSN that the other end acknowledged.
    private(set) var cumulative: TransmissionSequence
    private var pieces = Deque<OutgoingPiece>()
    /// The bytes in flight: sent, and neither acknowledged nor considered lost.
    private(set) var flight = 0
    /// The bytes of all pieces, to account for memory.
    private(set) var bytes = 0
    private(set) var acknowledgedByGap = 0
    private(set) var abandoned = 0
    /// The TSNs of pieces considered lost, mostly in order; some may have been acknowledged or sent again since.
    private var lostOnes = Deque<TransmissionSequence>()
    private var lostCount = 0

    /// - Parameter initial: the TSN of the first piece.
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

    /// Removes the oldest piece, which is cumulatively acknowledged, and returns it with the number of its bytes that
    /// no gap block had acknowledged yet.
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

    /// - Returns: the bytes that are newly acknowledged.
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

    /// Revokes a gap acknowledgement: the receiver had the piece, and has discarded it (RFC 9260 section 6.2.1).
    mutating func takeBack(_ tsn: TransmissionSequence) {
        guard self[tsn].state == .acknowledged else { return }
        acknowledgedByGap -= 1
        setLost(tsn)
    }

    /// Counts a miss, as a chunk sent later has arrived. Returns `true` if the piece is now considered lost.
    mutating func miss(_ tsn: TransmissionSequence) -> Bool {
        let place = index(tsn)
        pieces[place].misses += 1
        guard pieces[place].misses >= 3, pieces[place].state == .inFlight else { return false }
        flight -= pieces[place].size
        setLost(tsn)
        return true
    }

    /// Marks all pieces in flight as lost, after a timeout.
    mutating func loseAll() {
        lostOnes.removeAll()
        lostCount = 0
        flight = 0
        for index in 0..<pieces.count where pieces[index].state == .inFlight || pieces[index].state == .lost {
            setLost(cumulative + 1 + index)
        }
    }

    /// The TSN of the first piece to be retransmitted; `nil` if none is lost.
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

    /// Abandons the message that `tsn` belongs to, as far as it has TSNs.
    ///
    /// - Returns: true if the whole message has TSNs; otherwise its rest is still in the send queue.
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

    /// Assigns a TSN to the rest of an abandoned message, which no packet has carried. If all sent pieces have arrived
    /// after all, only a FORWARD-TSN past this one tells the other end to stop waiting for the rest.
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
        // The bytes are never sent again.
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
