package import HelioCore
internal import HelioRTP

/// The parity code that browsers decode: FlexFEC with `FlexFECHeader`. Parity packet j of m is the XOR of every m-th
/// packet of the block from the j-th on, so each parity packet restores one packet, and up to m consecutive losses are
/// restored.
///
/// The format follows libwebrtc's receiver (modules/rtp_rtcp/source of main in 2025:
/// `flexfec_03_header_reader_writer.cc`, `flexfec_receiver.cc`, `forward_error_correction.cc`; `media/engine` and
/// `modules/video_coding/nack_requester.cc`):
/// - It lists `flexfec-03/90000` among the codecs that it receives, unless the field trial
///   `WebRTC-FlexFEC-03-Advertised` is disabled; among those that it sends only if the trial is enabled. So a
///   browser's `recvonly` video accepts it by default, and its `sendrecv` video does not.
/// - It creates a decoder for each FlexFEC stream that the description pairs with a media stream by
///   `a=ssrc-group:FEC-FR`, one for one. `repair-window` is mandatory and ignored. The codec does not matter: H.264 is
///   restored like any other.
/// - It protects a packet as it is, from byte 12 on, with its header extension and padding. The elements that are
///   written only on sending count as zeros: transport-wide number, absolute sending time, and time offset.
/// - It supports one protected stream, no R and no F bit, and masks of 15, 46 and 109 bits; keeps 192 packets of the
///   stream and 48 of FlexFEC; and does not count a retransmission as the packet that it repeats.
/// - It does not request packets that it has restored. But it requests missing packets as soon as it sees a gap, before
///   any parity of the frame can have arrived: so packets are retransmitted all the same, and parity only saves time.
package struct FlexFECCode: ParityCode {
    private let ssrc: SSRC

    /// - Parameter ssrc: the SSRC of the protected stream.
    package init(protecting ssrc: SSRC) { self.ssrc = ssrc }

    /// The largest block that the mask of 46 bits covers; libwebrtc sends blocks of at most 48 packets.
    package var mostInBlock: Int { 46 }
    /// The overhead with the longest mask, as padding packets before a frame count as part of its block.
    package var overhead: Int { FlexFECHeader.mostSize }
    /// FlexFEC does not use the marker (section 4.2 of the draft).
    package var marksLast: Bool { false }

    /// Appends the whole packet; its sequence number and SSRC are ignored when it is added to parity.
    package func appendSymbol(of packet: RawSpan, headerLength: Int, payload: Int, to symbols: inout [UInt8]) {
        packet.withUnsafeBytes { symbols.append(contentsOf: $0) }
    }

    /// The positions in a block that a parity packet protects. If there is more parity than packets, some positions
    /// are protected twice.
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
