import HelioBitstream
package import HelioCore

/// Cuts the NAL units of one video stream into RTP packets: RFC 6184 in packetization mode 1 (single NAL
/// unit, STAP-A, FU-A), RFC 7798 without DONL (single NAL unit, AP, FU).
///
/// Small NAL units that follow one another share a packet, large ones are cut into fragments. Each packet is
/// one array, made once: header, payload, and room for what protection appends.
package struct RTPPacketizer: Sendable {
    /// The smallest `maximumPacketSize`.
    package static let minimumPacketSize = 64

    private let codec: VideoCodec
    private let ssrc: SSRC
    private let payloadType: PayloadType
    package let maximumPacketSize: Int
    private let timingExtensionID: UInt8?
    /// Of the packet that comes next.
    package private(set) var nextSequence: ExtendedSequence

    /// Makes packets of at most `maximumPacketSize` bytes of header, extension and payload, without what
    /// protection appends. `timingExtensionID` is 1 to 14 where the sink understands `FrameTimingExtension`.
    package init(
        codec: VideoCodec, ssrc: SSRC, payloadType: PayloadType, firstSequence: ExtendedSequence,
        maximumPacketSize: Int, timingExtensionID: UInt8?
    ) {
        precondition(
            (Self.minimumPacketSize...Int(UInt16.max)).contains(maximumPacketSize), "no such size of packet")
        self.codec = codec
        self.ssrc = ssrc
        self.payloadType = payloadType
        self.maximumPacketSize = maximumPacketSize
        self.timingExtensionID = timingExtensionID
        nextSequence = firstSequence
    }

    /// Emits the packets of one slice in order; the last packet of a frame's last slice carries the marker
    /// and the frame's times.
    ///
    /// A NAL unit that the payload format has no way to carry (no whole header, a type that means something
    /// else in RTP) is left out. A last slice without a NAL unit emits nothing, so the frame has no marker:
    /// encoders don't give such slices.
    ///
    /// `timestamp` is in 90 kHz and the same for all slices of a frame (row 11). `sent` is when the packets go
    /// to the socket, on the clock of `slice.timing`. `reserve` bytes can be appended to each packet without
    /// allocating: an SRTP tag. `emit` gets each packet and how many of its bytes are header.
    package mutating func packetize(
        _ slice: EncodedSlice, timestamp: UInt32, sent: Instant, reserve: Int,
        emit: (ExtendedSequence, consuming [UInt8], _ headerLength: Int) -> Void
    ) {
        let bytes = slice.annexB.span.bytes
        let timing = FrameTimingExtension(timing: slice.timing, sent: sent)
        // Where the frame's end might come into a shared packet, its extension is allowed for at once.
        let sharedCapacity = capacity(isFinal: slice.isLast)
        var cursor = AnnexB.Cursor()
        var upcoming = nextNALUnit(&cursor, in: bytes)
        while let first = upcoming {
            // After the loop `cursor` stands behind `upcoming`, and `rest` behind `first`.
            var rest = cursor
            var shared = Aggregation(codec: codec, first: first)
            upcoming = nextNALUnit(&cursor, in: bytes)
            while let candidate = upcoming, shared.size(with: candidate) <= sharedCapacity {
                shared.add(candidate)
                upcoming = nextNALUnit(&cursor, in: bytes)
            }

            var head = Head(timestamp: timestamp, reserve: reserve, timing: nil)
            let finalTiming = slice.isLast && upcoming == nil ? timing : nil
            if shared.count > 1 {
                head.timing = finalTiming
                var packet = makePacket(head, payloadSize: shared.size)
                let payloadStart = packet.count
                shared.writeHeader(into: &packet)
                shared.write(bytes, first, into: &packet, headerAt: payloadStart)
                for _ in 1..<shared.count {
                    guard let range = nextNALUnit(&rest, in: bytes) else { break }
                    shared.write(bytes, range, into: &packet, headerAt: payloadStart)
                }
                send(consume packet, headerLength: payloadStart, emit)
            } else if first.count <= capacity(isFinal: finalTiming != nil) {
                head.timing = finalTiming
                var packet = makePacket(head, payloadSize: first.count)
                let payloadStart = packet.count
                packet.append(bytes, first)
                send(consume packet, headerLength: payloadStart, emit)
            } else {
                fragment(bytes, first, head, finalTiming: finalTiming, emit)
            }
        }
    }

    /// What all packets of a frame have in common, and the times where the packet is the last.
    private struct Head {
        var timestamp: UInt32
        var reserve: Int
        var timing: FrameTimingExtension?
    }

    private func nextNALUnit(_ cursor: inout AnnexB.Cursor, in bytes: RawSpan) -> Range<Int>? {
        while let range = cursor.next(in: bytes) {
            guard range.count >= NALHeader.size(codec), let header = bytes.uint8(at: range.lowerBound) else { continue }
            if NALHeader.isNALUnit(header, codec: codec) { return range }
        }
        return nil
    }

    private func headerLength(isFinal: Bool) -> Int {
        RTPHeader.fixedSize + (isFinal && timingExtensionID != nil ? FrameTimingExtension.extensionSize : 0)
    }

    /// Bytes of payload that a packet takes.
    private func capacity(isFinal: Bool) -> Int {
        maximumPacketSize - headerLength(isFinal: isFinal)
    }

    /// A packet with its header, and room for the payload and for protection.
    private func makePacket(_ head: Head, payloadSize: Int) -> [UInt8] {
        let isFinal = head.timing != nil
        let header = RTPHeader(
            marker: isFinal, payloadType: payloadType, sequence: nextSequence.wire, timestamp: head.timestamp,
            ssrc: ssrc)
        var packet: [UInt8] = []
        packet.reserveCapacity(headerLength(isFinal: isFinal) + payloadSize + head.reserve)
        header.write(into: &packet, hasExtension: isFinal && timingExtensionID != nil)
        if let timing = head.timing, let timingExtensionID {
            timing.writeExtension(id: timingExtensionID, into: &packet)
        }
        return packet
    }

    private mutating func send(
        _ packet: consuming [UInt8], headerLength: Int, _ emit: (ExtendedSequence, consuming [UInt8], Int) -> Void
    ) {
        let sequence = nextSequence
        nextSequence = nextSequence.advanced(by: 1)
        emit(sequence, consume packet, headerLength)
    }

    /// FU-A (RFC 6184 section 5.8) or FU (RFC 7798 section 4.4.3): the NAL unit without its header, whose
    /// type goes to the fragments' own header.
    private mutating func fragment(
        _ bytes: RawSpan, _ nal: Range<Int>, _ head: Head, finalTiming: FrameTimingExtension?,
        _ emit: (ExtendedSequence, consuming [UInt8], Int) -> Void
    ) {
        let headerSize = NALHeader.size(codec)
        let fragmentHeaderSize = headerSize + 1
        let usual = capacity(isFinal: false) - fragmentHeaderSize
        let last = capacity(isFinal: finalTiming != nil) - fragmentHeaderSize
        var offset = nal.lowerBound + headerSize
        var isStart = true
        while offset < nal.upperBound {
            let left = nal.upperBound - offset
            // Start and end are never the same fragment, and the end may have less room than the others.
            let isEnd = left <= last && !isStart
            let count = isEnd ? left : min(usual, left - 1)
            var head = head
            head.timing = isEnd ? finalTiming : nil
            var packet = makePacket(head, payloadSize: fragmentHeaderSize + count)
            let payloadStart = packet.count
            writeFragmentHeader(
                bytes, nal.lowerBound, flags: (isStart ? 0x80 : 0) | (isEnd ? 0x40 : 0), into: &packet)
            packet.append(bytes, offset..<offset + count)
            send(consume packet, headerLength: payloadStart, emit)
            offset += count
            isStart = false
        }
    }

    /// ```
    /// H.264:  |F|NRI|   28    |         | S | E | 0 | Type (5) |
    /// H.265:  |F|     49      | LayerId | TID | S | E | Type (6) |
    /// ```
    private func writeFragmentHeader(_ bytes: RawSpan, _ nal: Int, flags: UInt8, into packet: inout [UInt8]) {
        guard let header = bytes.uint8(at: nal) else { return }
        switch codec {
        case .h264:
            packet.append(header & 0xE0 | H264NALType.fuA.rawValue)
            packet.append(flags | H264NALType(header: header).rawValue)
        case .h265:
            packet.append(header & 0x81 | H265NALType.fragment.rawValue << 1)
            packet.append(bytes, nal + 1..<nal + 2)
            packet.append(flags | H265NALType(header: header).rawValue)
        }
    }
}
