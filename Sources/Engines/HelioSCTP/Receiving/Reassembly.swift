/// The reassembly of messages from fragments, which have consecutive TSNs (RFC 9260 section 6.9) and may arrive in any
/// order. A message is complete once all its fragments have arrived, even if earlier messages are incomplete.
struct Reassembly: Sendable {
    /// The result of inserting a fragment.
    enum Result {
        case held
        case whole(IncomingMessage)
        /// The adjacent TSNs show that the fragment's message can never be complete. The fragment is dropped, and so
        /// are adjacent fragments of incomplete messages.
        case orphan
        /// The adjacent fragments of the message already exceed the maximum message size.
        case tooLong
    }

    /// The memory overhead of a stored fragment in bytes, so that the window also limits the number of small fragments.
    static let overhead = 64

    private(set) var heldCost = 0
    /// The stored fragments in a ring, indexed by TSN modulo `slots.count`. Their TSNs span less than `slots.count`.
    private var slots: [Fragment?] = []
    /// The TSNs of the stored fragments.
    private var occupied = SequenceBits()
    /// A lower bound of the stored TSNs.
    private var lowest: TransmissionSequence
    private var highest: TransmissionSequence
    private let maximumMessageSize: Int

    init(initial: TransmissionSequence, maximumMessageSize: Int) {
        lowest = initial
        highest = initial - 1
        self.maximumMessageSize = maximumMessageSize
    }

    /// Moves `lowest` past the empty slots up to `cumulative`. Call it before inserting a fragment.
    mutating func advance(to cumulative: TransmissionSequence) {
        let last = min(cumulative, highest)
        if lowest <= last { lowest = occupied.next(true, from: lowest, through: last) }
        if lowest > highest, lowest <= cumulative {
            lowest = cumulative + 1
            highest = max(highest, cumulative)
        }
    }

    /// Returns true if the ring can store `tsn` together with the fragments already stored.
    func reaches(_ tsn: TransmissionSequence) -> Bool { tsn - lowest < ReceivedMap.reach }

    /// Inserts a fragment. Its TSN has to be in `received` already, and `advance(to:)` has to be called before.
    mutating func insert(_ fragment: Fragment, at tsn: TransmissionSequence, received: ReceivedMap) -> Result {
        let left = held(tsn - 1)
        let right = held(tsn + 1)
        var joinsLeft = false
        var joinsRight = false
        var isOrphan = false
        if let left {
            joinsLeft = left.isContinued(by: fragment)
            isOrphan = isOrphan || !joinsLeft && !fragment.isBeginning
        } else if !fragment.isBeginning, received.contains(tsn - 1) {
            isOrphan = true
        }
        if let right {
            joinsRight = fragment.isContinued(by: right)
            isOrphan = isOrphan || !joinsRight && !fragment.isEnd
        } else if !fragment.isEnd, received.contains(tsn + 1) {
            isOrphan = true
        }
        // Drop the adjacent fragments of a message that this fragment should continue or precede, but does not.
        if let left, !left.isEnd, isOrphan || !joinsLeft { discard(left.first, tsn - 1) }
        if let right, !right.isBeginning, isOrphan || !joinsRight { discard(tsn + 1, right.last) }
        if isOrphan { return .orphan }

        let first = joinsLeft ? left!.first : tsn
        let last = joinsRight ? right!.last : tsn
        let runBytes = fragment.payload.count + (joinsLeft ? left!.runBytes : 0) + (joinsRight ? right!.runBytes : 0)
        if runBytes > maximumMessageSize { return .tooLong }
        if first == last, fragment.isBeginning, fragment.isEnd {
            return .whole(message(fragment, payload: fragment.payload))
        }
        store(fragment, at: tsn)
        setEnds(first, last, runBytes)
        guard let head = held(first), head.isBeginning, let tail = held(last), tail.isEnd else { return .held }
        var payload: [UInt8] = []
        payload.reserveCapacity(runBytes)
        var next = first
        while next <= last {
            if let piece = take(next) { payload += piece.payload }
            next += 1
        }
        return .whole(message(head, payload: payload))
    }

    /// Drops all fragments up to `tsn`, as the sender has abandoned them, and the fragments after it that continue an
    /// abandoned message.
    mutating func skip(to tsn: TransmissionSequence) {
        let last = min(tsn, highest)
        var place = occupied.next(true, from: lowest, through: last)
        while place <= last {
            _ = take(place)
            place = occupied.next(true, from: place + 1, through: last)
        }
        if lowest <= tsn { lowest = tsn + 1 }
        if highest < tsn { highest = tsn }
        if let next = held(tsn + 1), !next.isBeginning { discard(tsn + 1, next.last) }
    }

    private func message(_ fragment: Fragment, payload: [UInt8]) -> IncomingMessage {
        IncomingMessage(
            stream: fragment.stream, protocolID: fragment.protocolID, payload: payload,
            isUnordered: fragment.isUnordered, sequence: fragment.sequence)
    }

    private func held(_ tsn: TransmissionSequence) -> Fragment? {
        tsn < lowest || tsn > highest || slots.isEmpty ? nil : slots[place(tsn)]
    }

    private func place(_ tsn: TransmissionSequence) -> Int { Int(tsn.value & Int64(slots.count - 1)) }

    private mutating func store(_ fragment: Fragment, at tsn: TransmissionSequence) {
        if tsn > highest { highest = tsn }
        if highest - lowest >= slots.count { grow(to: highest - lowest + 1) }
        slots[place(tsn)] = fragment
        occupied.insert(tsn)
        heldCost += fragment.payload.count + Self.overhead
    }

    private mutating func setEnds(_ first: TransmissionSequence, _ last: TransmissionSequence, _ runBytes: Int) {
        for end in [first, last] {
            slots[place(end)]?.first = first
            slots[place(end)]?.last = last
            slots[place(end)]?.runBytes = runBytes
        }
    }

    private mutating func take(_ tsn: TransmissionSequence) -> Fragment? {
        guard let fragment = held(tsn) else { return nil }
        slots[place(tsn)] = nil
        occupied.remove(tsn)
        heldCost -= fragment.payload.count + Self.overhead
        return fragment
    }

    private mutating func discard(_ first: TransmissionSequence, _ last: TransmissionSequence) {
        var tsn = first
        while tsn <= last {
            _ = take(tsn)
            tsn += 1
        }
    }

    private mutating func grow(to count: Int) {
        var capacity = max(64, slots.count)
        while capacity < count { capacity *= 2 }
        var larger = [Fragment?](repeating: nil, count: capacity)
        for index in slots.indices {
            guard let piece = slots[index] else { continue }
            // The index is the TSN modulo the capacity. The TSN is the first one from `lowest` on with this remainder.
            let ahead = (index - place(lowest)) & (slots.count - 1)
            larger[Int((lowest + ahead).value & Int64(capacity - 1))] = piece
        }
        slots = larger
    }
}
