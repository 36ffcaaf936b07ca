package import HelioCore

/// Keeps the symbols of packets until the end of their frame, and computes parity packets from them.
///
/// Each parity packet is computed only when it leaves, so that a large frame's parity causes no long pause.
package struct ParityEncoder: Sendable {
    /// The maximum number of packets in a block, for any code.
    package static let mostInBlock = 48
    /// The maximum numbers of packets, and of bytes, of a frame that gets parity.
    private static let mostPackets = 1024
    private static let mostBytes = 1_500_000

    private let code: any ParityCode
    /// The number of the oldest packet kept.
    private var first = ExtendedSequence(0)
    private var symbols: [UInt8] = []
    /// The end of each packet's symbol, as an index of `symbols`.
    private var ends: [Int] = []
    /// The frame whose packets are kept; `nil` while only padding is kept.
    private var frame: UInt64?
    /// The number of packets kept of `frame`.
    private var ofFrame = 0

    package init(_ code: any ParityCode = ReedSolomonCode()) { self.code = code }

    package var count: Int { ends.count }

    package mutating func removeAll() {
        symbols.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        frame = nil
        ofFrame = 0
    }

    /// Adds a packet that was just built and is not stamped yet. Padding packets before a frame are protected as well,
    /// as their loss would leave a gap, too.
    ///
    /// - Parameters:
    ///   - frame: the packet's frame; `nil` for padding.
    ///   - payload: the length of the payload in bytes, without padding.
    package mutating func take(
        _ packet: RawSpan, headerLength: Int, payload: Int, sequence: ExtendedSequence, frame: UInt64?
    ) {
        let isNewFrame = frame != nil && self.frame != nil && frame != self.frame
        if isNewFrame || sequence != first.advanced(by: UInt64(count)) || count >= Self.mostPackets
            || symbols.count >= Self.mostBytes
        {
            // The previous frame got no parity, or this frame is too large for parity.
            removeAll()
        }
        if ends.isEmpty { first = sequence }
        if let frame {
            self.frame = frame
            ofFrame += 1
        }
        code.appendSymbol(of: packet, headerLength: headerLength, payload: payload, to: &symbols)
        ends.append(symbols.count)
    }

    /// Returns whether all packets of a frame are kept.
    package func isWhole(_ frame: UInt64, packets: Int) -> Bool { self.frame == frame && ofFrame == packets }

    /// The number of equal blocks, of at most `most` packets each, into which a frame's packets are split, and the
    /// largest block's number of packets.
    package static func blocks(of packets: Int, most: Int = ParityEncoder.mostInBlock) -> (number: Int, largest: Int) {
        let number = max(1, (packets + most - 1) / most)
        return (number, (packets + number - 1) / number)
    }

    /// Appends the payload of a parity packet, including the parity header.
    ///
    /// - Returns: false if the code can't make such a parity packet.
    package func append(
        parity index: Int, of parities: Int, block: Int, of blocks: Int, to payload: inout [UInt8]
    ) -> Bool {
        guard blocks > 0, (0..<blocks).contains(block) else { return false }
        let from = count * block / blocks
        let to = count * (block + 1) / blocks
        return code.append(
            parity: index, of: parities, first: first.advanced(by: UInt64(from)), symbols: (from..<to).map(symbol),
            in: symbols.span.bytes, to: &payload)
    }

    private func symbol(_ place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }
}
