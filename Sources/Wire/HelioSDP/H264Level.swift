/// A level of H.264 (ITU-T H.264 table A-1): limits on the picture size and rate that a decoder has to support.
package struct H264Level: Sendable, Hashable, Comparable {
    /// The `level_idc`: ten times the level's number; 9 for 1b.
    package let idc: UInt8

    private static let known: [UInt8] = [
        10, 9, 11, 12, 13, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52, 60, 61, 62,
    ]

    /// Makes a level from a `level_idc`; `nil` if there is no such level.
    package init?(idc: UInt8) {
        guard Self.known.contains(idc) else { return nil }
        self.idc = idc
    }

    /// Compares levels: 1b lies between 1 and 1.1.
    package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
    private var rank: Int { idc == 9 ? 21 : Int(idc) * 2 }
}

extension H264Level {
    /// The maximum picture size, in macroblocks of 16x16 pixels (`MaxFS` of ITU-T H.264 table A-1).
    package var mostMacroblocks: Int { limits.picture }
    /// The maximum number of macroblocks per second (`MaxMBPS`).
    package var mostMacroblocksPerSecond: Int { limits.second }

    private var limits: (picture: Int, second: Int) {
        switch idc {
        case 9, 10: (99, 1485)
        case 11: (396, 3000)
        case 12: (396, 6000)
        case 13, 20: (396, 11_880)
        case 21: (792, 19_800)
        case 22: (1620, 20_250)
        case 30: (1620, 40_500)
        case 31: (3600, 108_000)
        case 32: (5120, 216_000)
        case 40, 41: (8192, 245_760)
        case 42: (8704, 522_240)
        case 50: (22_080, 589_824)
        case 51: (36_864, 983_040)
        case 52: (36_864, 2_073_600)
        case 60: (139_264, 4_177_920)
        case 61: (139_264, 8_355_840)
        default: (139_264, 16_711_680)
        }
    }
}
