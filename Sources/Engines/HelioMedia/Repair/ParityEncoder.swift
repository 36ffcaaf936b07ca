package import HelioCore

/// Keeps the symbols of the packets that leave until the end of their frame, and makes parity of them.
///
/// Parity is made a packet at a time, as each leaves: a large frame's costs nobody a long moment.
package struct ParityEncoder: Sendable {
    /// The most packets of a block of any code.
    package static let mostInBlock = 48
    /// The most packets and bytes of a frame that gets parity.
    private static let mostPackets = 1024
    private static let mostBytes = 1_500_000

    private let code: any ParityCode
    /// The number of the oldest packet that is kept.
    private var first = ExtendedSequence(0)
    private var symbols: [UInt8] = []
    /// The end of each packet's symbol.
    private var ends: [Int] = []
    /// The frame of which packets are kept; `nil` where there is nothing but padding yet.
    private var frame: UInt64?
    /// The packets that are kept of it.
    private var ofFrame = 0

    package init(_ code: any ParityCode = ReedSolomonCode()) { self.code = code }

    package var count: Int { ends.count }

    package mutating func removeAll() {
        symbols.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        frame = nil
        ofFrame = 0
    }

    /// Takes a packet that was just made and is not stamped yet. What took a number before the frame counts too, as its
    /// loss would leave a gap all the same.
    ///
    /// - Parameters:
    ///   - frame: the frame that it is of; `nil` for padding.
    ///   - payload: the length of the payload, without padding.
    package mutating func take(
        _ packet: RawSpan, headerLength: Int, payload: Int, sequence: ExtendedSequence, frame: UInt64?
    ) {
        let isNewFrame = frame != nil && self.frame != nil && frame != self.frame
        if isNewFrame || sequence != first.advanced(by: UInt64(count)) || count >= Self.mostPackets
            || symbols.count >= Self.mostBytes
        {
            // The frame before got no parity, or this one can't have any.
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

    /// The largest part of so many packets, cut into equal blocks of at most `most`, and their number.
    package static func blocks(of packets: Int, most: Int = ParityEncoder.mostInBlock) -> (number: Int, largest: Int) {
        let number = max(1, (packets + most - 1) / most)
        return (number, (packets + number - 1) / number)
    }

    /// Appends the payload of a parity packet, with its header.
    ///
    /// - Returns: false where there is no such parity.
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
