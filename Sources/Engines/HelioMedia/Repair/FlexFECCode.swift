package import HelioCore
internal import HelioRTP

/// The code that browsers read: FlexFEC as `FlexFECHeader` has it. Parity packet j of m is the XOR of every m-th packet
/// of the block from the j-th on, so that each restores one, and m in a row are restored.
///
/// What libwebrtc's receiver does, which decides what is written here (modules/rtp_rtcp/source of main in 2025:
/// `flexfec_03_header_reader_writer.cc`, `flexfec_receiver.cc`, `forward_error_correction.cc`; `media/engine` and
/// `modules/video_coding/nack_requester.cc`):
/// - It lists `flexfec-03/90000` among what it receives, unless the field trial `WebRTC-FlexFEC-03-Advertised` is
///   disabled; what it sends has it only where that is enabled. So a browser's `recvonly` video takes it by default,
///   and its `sendrecv` video does not.
/// - It builds a decoder for a stream that the description pairs with another by `a=ssrc-group:FEC-FR`, one for one.
///   `repair-window` has to be there and is not heeded. The codec does not matter: H.264 is restored as any.
/// - A packet is protected as it is, from byte 12 on, with its header extension and padding. Those elements that are
///   stamped late count as zeros: the transport-wide number, the absolute sending time, the time offset.
/// - It reads one protected stream, no R and no F bit, masks of 15, 46 and 109 bits; keeps 192 packets of the stream
///   and 48 of FlexFEC; and does not count a retransmission as the packet that it repeats.
/// - What it restores is not asked for from then on. But it asks for what is missing as soon as it sees a gap, before
///   any parity of the frame can have come: retransmissions are asked for all the same, and parity saves time alone.
package struct FlexFECCode: ParityCode {
    private let ssrc: SSRC

    /// - Parameter ssrc: the stream that is protected.
    package init(protecting ssrc: SSRC) { self.ssrc = ssrc }

    /// The most for which the mask of the middle length will do; libwebrtc sends no more than 48.
    package var mostInBlock: Int { 46 }
    /// With the longest mask, as padding before a frame counts among its packets.
    package var overhead: Int { FlexFECHeader.mostSize }
    /// The marker is not used (section 4.2 of the draft).
    package var marksLast: Bool { false }

    /// A symbol is the whole packet, but for its number and SSRC, which are passed over when it is added.
    package func appendSymbol(of packet: RawSpan, headerLength: Int, payload: Int, to symbols: inout [UInt8]) {
        packet.withUnsafeBytes { symbols.append(contentsOf: $0) }
    }

    /// The places in a block that a parity packet protects. Where there is more parity than packets, some of these are
    /// protected twice.
    static func places(ofParity index: Int, of parities: Int, sources: Int) -> [Int] {
        let groups = min(parities, sources)
        guard groups > 0, (0..<parities).contains(index) else { return [] }
        return Array(stride(from: index % groups, to: sources, by: groups))
    }

    package func append(
        parity index: Int, of parities: Int, first: ExtendedSequence, symbols: [Range<Int>], in bytes: RawSpan,
        to payload: inout [UInt8]
    ) -> Bool {
        let places = Self.places(ofParity: index, of: parities, sources: symbols.count)
        guard let begin = places.first else { return false }
        var recovery = FlexFECRecovery()
        var longest = 0
        for place in places {
            guard recovery.add(packet: bytes.extracting(symbols[place])) else { return false }
            longest = max(longest, symbols[place].count - RTPHeader.fixedSize)
        }
        guard
            let header = FlexFECHeader(
                recovery, of: ssrc, base: first.advanced(by: UInt64(begin)).wire, places: places.map { $0 - begin })
        else { return false }
        header.write(into: &payload)
        let start = payload.count
        payload.append(contentsOf: repeatElement(0, count: longest))
        for place in places {
            let symbol = symbols[place]
            GaloisField.add(
                bytes.extracting(symbol.lowerBound + RTPHeader.fixedSize..<symbol.upperBound), to: &payload, at: start)
        }
        return true
    }
}
