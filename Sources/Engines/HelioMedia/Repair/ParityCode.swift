package import HelioCore

/// A code that lets a receiver restore lost packets. It defines which bytes of a packet are protected, and the content
/// of a parity packet.
package protocol ParityCode: Sendable {
    /// The maximum number of packets in a block. Short blocks are repaired sooner, and long blocks need less parity,
    /// but a decoder's work grows with the square of the number.
    var mostInBlock: Int { get }
    /// The size of a parity packet's payload in bytes, minus the longest source packet's size after its fixed header.
    var overhead: Int { get }
    /// True if the last parity packet of a frame is marked.
    var marksLast: Bool { get }

    /// Appends the symbol of a packet that was just built. The packet has no contributing sources, and the elements
    /// that are stamped on sending are still zero.
    ///
    /// - Parameters:
    ///   - headerLength: the length in bytes of everything before the payload.
    ///   - payload: the length of the payload in bytes, without padding.
    func appendSymbol(of packet: RawSpan, headerLength: Int, payload: Int, to symbols: inout [UInt8])

    /// Appends the payload of a parity packet, including the parity header.
    ///
    /// - Parameters:
    ///   - first: the sequence number of the block's first packet; those of the other packets follow directly.
    ///   - symbols: the ranges in `bytes` of the block's symbols.
    /// - Returns: false if the code can't make such a parity packet.
    func append(
        parity index: Int, of parities: Int, first: ExtendedSequence, symbols: [Range<Int>], in bytes: RawSpan,
        to payload: inout [UInt8]
    ) -> Bool
}
