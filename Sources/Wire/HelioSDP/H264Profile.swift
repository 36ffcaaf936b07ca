/// The profiles of H.264 that `profile-level-id` tells apart by `profile_idc` and the constraint flags (RFC 6184
/// section 8.1, table 5), as far as they are not for intra pictures alone.
package enum H264Profile: Sendable, Hashable, CaseIterable {
    case constrainedBaseline
    case baseline
    case main
    case extended
    case constrainedHigh
    case high
    case high10
    case high422
    case high444Predictive

    /// `constraints` holds `constraint_set0_flag` in its highest bit; the four lowest are zero in all profiles but
    /// one. `nil` for a profile that is not known.
    package init?(idc: UInt8, constraints: UInt8) {
        switch (idc, constraints) {
        case (66, _) where constraints & 0x4F == 0x40: self = .constrainedBaseline
        case (66, _) where constraints & 0x4F == 0x00: self = .baseline
        case (77, _) where constraints & 0x8F == 0x80: self = .constrainedBaseline
        case (77, _) where constraints & 0xAF == 0x00: self = .main
        case (88, _) where constraints & 0xCF == 0xC0: self = .constrainedBaseline
        case (88, _) where constraints & 0xCF == 0x80: self = .baseline
        case (88, _) where constraints & 0xCF == 0x00: self = .extended
        case (100, 0x00): self = .high
        case (100, 0x0C): self = .constrainedHigh
        case (110, 0x00): self = .high10
        case (122, 0x00): self = .high422
        case (244, 0x00): self = .high444Predictive
        default: return nil
        }
    }

    /// What this profile is written as; browsers set all three flags for Constrained Baseline.
    package var code: (idc: UInt8, constraints: UInt8) {
        switch self {
        case .constrainedBaseline: (66, 0xE0)
        case .baseline: (66, 0)
        case .main: (77, 0)
        case .extended: (88, 0)
        case .constrainedHigh: (100, 0x0C)
        case .high: (100, 0)
        case .high10: (110, 0)
        case .high422: (122, 0)
        case .high444Predictive: (244, 0)
        }
    }

    /// Level 1b is level 1.1 with `constraint_set3_flag` in these (ITU-T H.264 section A.3.4.1).
    var marksLevel1bByFlag: Bool {
        switch self {
        case .constrainedBaseline, .baseline, .main, .extended: true
        default: false
        }
    }
}
