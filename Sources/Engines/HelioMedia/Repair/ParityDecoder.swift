internal import DequeModule
package import HelioCore
package import HelioRTP

/// Restores lost packets of one stream from parity: keeps recent packets, and the parity of incomplete blocks.
///
/// The memory is bounded in packets and bytes; the oldest packets are evicted first. Nothing is kept until parity is
/// received, as most streams have none.
package struct ParityDecoder: ParityDecoding {
    /// A packet restored from parity, with its extended sequence number.
    package struct Restored: Sendable {
        package let bytes: [UInt8]
        package let sequence: ExtendedSequence
    }

    /// The result of handling a parity packet.
    package enum Outcome: Sendable {
        /// The block of the parity packet is complete, received or restored.
        case isWhole
        /// The parity packet's block lacks packets before `end`, which more parity may restore.
        case lacks(end: ExtendedSequence)
        /// The parity packet's block lacks packets before `end`, and no more parity will arrive.
        case isShort(end: ExtendedSequence)
        case malformed
        /// The packets that the parity protects are too far away from all others.
        case stray
    }

    private struct Source: Sendable {
        let bytes: [UInt8]
        let header: RTPHeader
        let payload: Range<Int>
        let type: PayloadType
    }

    private struct Block {
        let first: UInt64
        let sources: Int
        let parities: Int
        let symbolSize: Int
        /// The received parity packets: the index and the bytes of each, and the offset of its symbol.
        var received: [(index: Int, bytes: [UInt8], start: Int)] = []
        let since: Instant

        var end: UInt64 { first + UInt64(sources) }
    }

    private static let capacity: UInt64 = 2048
    private static let mostBytes = 4 << 20
    private static let mostBlocks = 64
    private static let mostParityBytes = 2 << 20
    /// The age at which an incomplete block is dropped: no receiver waits that long.
    private static let longestAge = Duration.seconds(1)

    /// True once parity was received.
    package var isActive: Bool { recent.isActive }
    private let stamped: [UInt8]
    private var recent = RecentPackets<Source>(capacity: Self.capacity, mostBytes: Self.mostBytes)
    private var parityBytes = 0
    private var blocks: [Block] = []
    private var outputs = Deque<Restored>()

    /// - Parameter stamped: the IDs of the header extension's elements that are stamped at each transmission.
    package init(stamped: [UInt8]) { self.stamped = stamped }

    package mutating func poll() -> Restored? { outputs.popFirst() }

    // MARK: Source packets

    /// Handles a packet of the stream, received or restored; a retransmission is passed as it arrived.
    ///
    /// - Parameters:
    ///   - payload: the range of the original payload, without padding.
    ///   - type: the payload type of the original packet.
    package mutating func take(
        _ packet: [UInt8], _ header: RTPHeader, payload: Range<Int>, type: PayloadType, sequence: ExtendedSequence,
        ssrc: SSRC
    ) {
        guard isActive, payload.lowerBound >= header.length, payload.upperBound <= packet.count else { return }
        let number = sequence.rawValue
        if recent.advance(to: number) { removeBlocks { _ in true } }
        guard recent.takes(number) else { return }
        let source = Source(bytes: packet, header: header, payload: payload, type: type)
        recent.hold(source, size: packet.count, as: number)
        guard let index = blocks.firstIndex(where: { $0.first <= number && number < $0.end }) else { return }
        restore(at: index, ssrc: ssrc)
    }

    private mutating func removeBlocks(where isOver: (Block) -> Bool) {
        blocks.removeAll(where: isOver)
        parityBytes = blocks.reduce(0) { $0 + $1.received.reduce(0) { $0 + $1.bytes.count } }
    }

    // MARK: Parity

    /// Handles a parity packet: restores the missing packets of its block, or keeps it until that is possible.
    ///
    /// - Parameters:
    ///   - payload: the range of the parity packet's payload.
    ///   - numbers: the extender of the stream's sequence numbers.
    ///   - ssrc: the stream's SSRC.
    package mutating func take(
        parity packet: [UInt8], payload: Range<Int>, numbers: SequenceExtender, ssrc: SSRC, now: Instant
    ) -> Outcome {
        guard payload.lowerBound >= 0, payload.upperBound <= packet.count,
            let header = ParityHeader.parse(packet.span.bytes.extracting(payload))
        else { return .malformed }
        let symbolSize = payload.count - ParityHeader.size
        guard symbolSize >= SourceSymbol.headSize else { return .malformed }
        guard let newest = numbers.highest?.rawValue else { return .stray }
        if !isActive { recent.begin(at: newest) }
        let first = numbers.extended(header.first).rawValue
        let end = first + UInt64(header.sources)
        // The block must be at most a repairable gap ahead, and its packets must still be kept.
        guard end <= newest + 512, first + Self.capacity > max(newest, recent.highest) else { return .stray }
        let highest = recent.highest
        removeBlocks { now - $0.since > Self.longestAge || $0.first + Self.capacity <= highest }
        let isLast = header.index == header.parities - 1
        guard (first..<end).contains(where: { !recent.holds($0) }) else { return .isWhole }
        var index = blocks.firstIndex { $0.first == first }
        if let index {
            let block = blocks[index]
            guard block.sources == header.sources, block.parities == header.parities, block.symbolSize == symbolSize
            else { return .malformed }
            if block.received.contains(where: { $0.index == header.index }) {
                return .lacks(end: ExtendedSequence(end))
            }
        } else {
            // No sender makes overlapping blocks, but they do no harm.
            if blocks.count >= Self.mostBlocks { blocks.removeFirst() }
            blocks.append(
                Block(
                    first: first, sources: header.sources, parities: header.parities, symbolSize: symbolSize,
                    since: now))
            index = blocks.count - 1
        }
        guard var index else { return .malformed }
        blocks[index].received.append((header.index, packet, payload.lowerBound + ParityHeader.size))
        parityBytes += packet.count
        while parityBytes > Self.mostParityBytes, index > 0 {
            let oldest = blocks[0].first
            removeBlocks { $0.first == oldest }
            index -= 1
        }
        if restore(at: index, ssrc: ssrc) { return .isWhole }
        return isLast ? .isShort(end: ExtendedSequence(end)) : .lacks(end: ExtendedSequence(end))
    }

    /// Restores the missing packets of a block, if enough parity has arrived.
    ///
    /// - Returns: true if the block is complete.
    @discardableResult
    private mutating func restore(at index: Int, ssrc: SSRC) -> Bool {
        let block = blocks[index]
        let lost = (0..<block.sources).filter { !recent.holds(block.first + UInt64($0)) }
        guard lost.count <= block.received.count else { return false }
        let before = blocks[index].first
        defer { removeBlocks { $0.first == before } }
        guard !lost.isEmpty else { return true }
        guard let sums = sums(of: block, but: lost) else { return false }
        let used = block.received.prefix(lost.count).map(\.index)
        let inverse = ReedSolomon.inverse(parities: used, lost: lost)
        var symbol = [UInt8](repeating: 0, count: block.symbolSize)
        for (place, row) in zip(lost, inverse) {
            for at in symbol.indices { symbol[at] = 0 }
            for (factor, sum) in zip(row, sums) { GaloisField.add(sum.span.bytes, times: factor, to: &symbol, at: 0) }
            let sequence = ExtendedSequence(block.first + UInt64(place))
            guard let packet = SourceSymbol.packet(symbol.span.bytes, sequence: sequence.wire, ssrc: ssrc) else {
                return false
            }
            outputs.append(Restored(bytes: packet, sequence: sequence))
        }
        return true
    }

    /// Subtracts the received packets from as many parity symbols as packets are lost; `nil` if a packet is longer than
    /// the parity allows.
    private func sums(of block: Block, but lost: [Int]) -> [[UInt8]]? {
        var sums = block.received.prefix(lost.count).map { Array($0.bytes[$0.start..<$0.start + block.symbolSize]) }
        var symbol: [UInt8] = []
        for place in 0..<block.sources where !lost.contains(place) {
            guard let source = recent[block.first + UInt64(place)] else { return nil }
            symbol.removeAll(keepingCapacity: true)
            SourceSymbol.write(
                source.bytes.span.bytes, source.header, payload: source.payload, type: source.type, stamped: stamped,
                into: &symbol)
            guard symbol.count <= block.symbolSize else { return nil }
            for index in sums.indices {
                GaloisField.add(
                    symbol.span.bytes,
                    times: ReedSolomon.coefficient(parity: block.received[index].index, source: place),
                    to: &sums[index], at: 0)
            }
        }
        return sums
    }
}
