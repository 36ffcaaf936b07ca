import HelioBitstream
package import HelioCore

/// Reassembles the NAL units of one video stream from RTP payloads in sequence order: RFC 6184 in packetization modes 0
/// and 1, RFC 7798 without DONL.
///
/// The bytes go directly into the frame that the caller assembles. The caller limits the number of packets in a frame.
package struct RTPDepacketizer: Sendable {
    /// The outcome of appending a payload.
    package enum Outcome: Hashable, Sendable {
        /// All NAL units of the payload are complete.
        case whole
        /// A NAL unit is still incomplete, so the frame can't end here.
        case partial
        /// The frame is lost: the caller drops its bytes and calls `reset`.
        case malformed(Malformation)
    }

    /// A malformation of a payload; its raw value is the name of a drop counter.
    package enum Malformation: String, Error, CaseIterable, Hashable, Sendable {
        /// The payload is shorter than its header or than a length in it, or has an empty NAL unit.
        case truncated = "payload-truncated"
        /// The payload has a structure or NAL unit type that Heliograph does not negotiate (STAP-B, MTAP, FU-B, PACI).
        case unsupported = "payload-unsupported"
        /// A fragment arrived without the fragment before it.
        case fragmentWithoutStart = "fragment-without-start"
        /// A payload arrived that does not continue the current NAL unit's fragments.
        case fragmentInterrupted = "fragment-interrupted"
        /// A fragment with both the start and the end bit.
        case fragmentStartsAndEnds = "fragment-starts-and-ends"
    }

    private let codec: VideoCodec
    /// The NAL unit type of the current fragments; `nil` between NAL units.
    private var openFragment: UInt8?

    package init(codec: VideoCodec) {
        self.codec = codec
    }

    /// True while a NAL unit is incomplete.
    package var isPartial: Bool { openFragment != nil }

    /// Drops an incomplete NAL unit because the frame is abandoned.
    package mutating func reset() {
        openFragment = nil
    }

    /// Appends a payload's NAL units, each after a start code of 4 bytes, or the bytes of a fragment. After
    /// `.malformed`, the bytes that this call appended are invalid.
    package mutating func append(payload: RawSpan, to annexB: inout [UInt8]) -> Outcome {
        guard payload.byteCount >= NALHeader.size(codec), let header = payload.uint8(at: 0) else {
            return .malformed(.truncated)
        }
        let kind = PayloadKind(header, codec: codec)
        if kind == .fragment { return appendFragment(payload, header: header, to: &annexB) }
        guard openFragment == nil else { return .malformed(.fragmentInterrupted) }
        switch kind {
        case .single:
            annexB.append(contentsOf: AnnexB.startCode)
            annexB.append(payload, 0..<payload.byteCount)
            return .whole
        case .aggregation:
            return appendAggregation(payload, to: &annexB)
        case .fragment, .unsupported:
            return .malformed(.unsupported)
        }
    }

    private func appendAggregation(_ payload: RawSpan, to annexB: inout [UInt8]) -> Outcome {
        var units = AggregatedUnits(codec: codec)
        while let next = units.next(in: payload) {
            switch next {
            case .failure(let malformation):
                return .malformed(malformation)
            case .success(let unit):
                annexB.append(contentsOf: AnnexB.startCode)
                annexB.append(payload, unit)
            }
        }
        return .whole
    }

    private mutating func appendFragment(
        _ payload: RawSpan, header: UInt8, to annexB: inout [UInt8]
    ) -> Outcome {
        let headerSize = NALHeader.size(codec)
        guard let flags = payload.uint8(at: headerSize), payload.byteCount > headerSize + 1 else {
            return .malformed(.truncated)
        }
        let isStart = flags & 0x80 != 0
        let isEnd = flags & 0x40 != 0
        let nalHeader = Self.nalHeader(payloadHeader: header, fragmentHeader: flags, codec: codec)
        let type = flags & (codec == .h264 ? 0x1F : 0x3F)
        guard NALHeader.isNALUnit(nalHeader, codec: codec) else { return .malformed(.unsupported) }
        guard !(isStart && isEnd) else { return .malformed(.fragmentStartsAndEnds) }
        if isStart {
            guard openFragment == nil else { return .malformed(.fragmentInterrupted) }
            openFragment = type
            annexB.append(contentsOf: AnnexB.startCode)
            annexB.append(nalHeader)
            annexB.append(payload, 1..<headerSize)
        } else {
            guard let openFragment else { return .malformed(.fragmentWithoutStart) }
            guard openFragment == type else { return .malformed(.fragmentInterrupted) }
        }
        annexB.append(payload, headerSize + 1..<payload.byteCount)
        if isEnd { openFragment = nil }
        return isEnd ? .whole : .partial
    }

    /// The first header byte of the NAL unit that was fragmented.
    private static func nalHeader(payloadHeader: UInt8, fragmentHeader: UInt8, codec: VideoCodec) -> UInt8 {
        switch codec {
        case .h264: payloadHeader & 0xE0 | fragmentHeader & 0x1F
        case .h265: payloadHeader & 0x81 | (fragmentHeader & 0x3F) << 1
        }
    }

    /// Returns true if a payload has or begins a NAL unit from which a decoder can start: a VPS, an SPS, or a slice of
    /// a keyframe. In a malformed payload, only the NAL units before the fault count.
    ///
    /// A frame is a keyframe if this is true for any of its packets.
    package static func isKeyframePayload(_ payload: RawSpan, codec: VideoCodec) -> Bool {
        opens(payload, codec: codec) { startsDecoding($0, codec: codec) }
    }

    /// Returns true if a payload has or begins a slice. In a malformed payload, only the NAL units before the fault
    /// count.
    package static func isSlicePayload(_ payload: RawSpan, codec: VideoCodec) -> Bool {
        opens(payload, codec: codec) { NALHeader.isVCL($0, codec: codec) }
    }

    /// Returns true if a payload has or begins a NAL unit whose header byte passes `isWanted`.
    private static func opens(_ payload: RawSpan, codec: VideoCodec, where isWanted: (UInt8) -> Bool) -> Bool {
        guard let header = payload.uint8(at: 0) else { return false }
        switch PayloadKind(header, codec: codec) {
        case .single:
            return isWanted(header)
        case .fragment:
            guard let flags = payload.uint8(at: NALHeader.size(codec)), flags & 0x80 != 0 else { return false }
            return isWanted(nalHeader(payloadHeader: header, fragmentHeader: flags, codec: codec))
        case .aggregation:
            var units = AggregatedUnits(codec: codec)
            while case .success(let unit) = units.next(in: payload) {
                if let header = payload.uint8(at: unit.lowerBound), isWanted(header) { return true }
            }
            return false
        case .unsupported:
            return false
        }
    }

    private static func startsDecoding(_ header: UInt8, codec: VideoCodec) -> Bool {
        switch codec {
        case .h264:
            let type = H264NALType(header: header)
            return type.isKeyframe || type == .sps
        case .h265:
            let type = H265NALType(header: header)
            return type.isKeyframe || type == .vps || type == .sps
        }
    }
}
