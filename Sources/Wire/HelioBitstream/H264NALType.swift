/// `nal_unit_type` of H.264 (ITU-T H.264 table 7-1), and the types that RFC 6184 adds for RTP.
///
/// ```
/// |0|1 2|3 4 5 6 7|
/// |F|NRI|  Type   |
/// ```
package struct H264NALType: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Extracts the type from a NAL unit's first byte (requirement row 145).
    package init(header: UInt8) { rawValue = header & 0x1F }

    package static let slice = Self(rawValue: 1)
    package static let idr = Self(rawValue: 5)
    package static let sei = Self(rawValue: 6)
    package static let sps = Self(rawValue: 7)
    package static let pps = Self(rawValue: 8)
    package static let accessUnitDelimiter = Self(rawValue: 9)
    /// STAP-A: several NAL units with one timestamp in one packet (RFC 6184 section 5.7.1).
    package static let stapA = Self(rawValue: 24)
    /// FU-A: a fragment of a NAL unit (RFC 6184 section 5.8).
    package static let fuA = Self(rawValue: 28)

    /// True for coded picture data, as opposed to parameter sets, SEI and delimiters.
    package var isVCL: Bool { (1...5).contains(rawValue) }
    package var isKeyframe: Bool { self == .idr }
    package var isParameterSet: Bool { self == .sps || self == .pps }
    /// True for types that can occur in a stream: 0 is unused in streams, and types from 24 on exist only in RTP.
    package var isNALUnit: Bool { (1...23).contains(rawValue) }
}
