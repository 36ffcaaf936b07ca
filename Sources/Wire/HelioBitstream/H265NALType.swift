/// `nal_unit_type` of H.265 (ITU-T H.265 table 7-1), and the types that RFC 7798 adds for RTP.
///
/// ```
/// |0|1 2 3 4 5 6|7 8 9 A B C|D E F|
/// |F|   Type    |  LayerId  | TID |
/// ```
package struct H265NALType: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Extracts the type from the first of the header's two bytes.
    package init(header: UInt8) { rawValue = header >> 1 & 0x3F }

    package static let trailing = Self(rawValue: 1)
    package static let idrWithLeading = Self(rawValue: 19)
    package static let idr = Self(rawValue: 20)
    package static let vps = Self(rawValue: 32)
    package static let sps = Self(rawValue: 33)
    package static let pps = Self(rawValue: 34)
    package static let accessUnitDelimiter = Self(rawValue: 35)
    package static let prefixSEI = Self(rawValue: 39)
    /// An aggregation packet: several NAL units with one timestamp in one packet (RFC 7798 section 4.4.2).
    package static let aggregation = Self(rawValue: 48)
    /// A fragmentation unit: a fragment of a NAL unit (RFC 7798 section 4.4.3).
    package static let fragment = Self(rawValue: 49)

    /// True for coded picture data, as opposed to parameter sets, SEI and delimiters.
    package var isVCL: Bool { rawValue < 32 }
    /// True for an IRAP picture: IDR, BLA or CRA.
    package var isKeyframe: Bool { (16...23).contains(rawValue) }
    package var isParameterSet: Bool { (32...34).contains(rawValue) }
    /// True for types that can occur in a stream; the others exist only in RTP.
    package var isNALUnit: Bool { rawValue < 48 }
}
