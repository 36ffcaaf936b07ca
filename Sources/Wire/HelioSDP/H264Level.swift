/// A level of H.264 (ITU-T H.264 table A-1): how large and how fast a picture the decoder takes.
package struct H264Level: Sendable, Hashable, Comparable {
    /// Ten times the level's number; 9 for 1b.
    package let idc: UInt8

    private static let known: [UInt8] = [
        10, 9, 11, 12, 13, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52, 60, 61, 62,
    ]

    /// `nil` where there is no such level.
    package init?(idc: UInt8) {
        guard Self.known.contains(idc) else { return nil }
        self.idc = idc
    }

    /// 1b lies between 1 and 1.1.
    package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
    private var rank: Int { idc == 9 ? 21 : Int(idc) * 2 }
}
