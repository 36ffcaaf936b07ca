/// The parameters of H.264 that both ends have to agree on (RFC 6184 section 8.2.2).
package struct H264FormatParameters: Sendable, Hashable {
    package var profileLevel: H264ProfileLevel
    /// The packetization mode. 0: single NAL unit; 1: non-interleaved; 2: interleaved.
    package var packetizationMode: UInt8
    /// True if the two directions may use different levels: each end sends at the level that the receiver supports.
    package var allowsLevelAsymmetry: Bool

    package init(_ profileLevel: H264ProfileLevel, packetizationMode: UInt8 = 1, allowsLevelAsymmetry: Bool = true) {
        self.profileLevel = profileLevel
        self.packetizationMode = packetizationMode
        self.allowsLevelAsymmetry = allowsLevelAsymmetry
    }

    /// Reads the parameters; `nil` if profile, level or mode are malformed or unknown.
    ///
    /// The default without `profile-level-id` is Constrained Baseline at level 3.1, as in browsers. RFC 6184 specifies
    /// Baseline at level 1, which no WebRTC implementation assumes.
    package init?(_ parameters: FormatParameters?) {
        self.init(Self.assumed, packetizationMode: 0, allowsLevelAsymmetry: false)
        guard let parameters else { return }
        if let text = parameters["profile-level-id"] {
            guard let value = H264ProfileLevel(text) else { return nil }
            profileLevel = value
        }
        switch parameters["packetization-mode"] {
        case nil, "0": packetizationMode = 0
        case "1": packetizationMode = 1
        case "2": packetizationMode = 2
        default: return nil
        }
        allowsLevelAsymmetry = parameters["level-asymmetry-allowed"] == "1"
    }

    package var parameters: [FormatParameters.Parameter] {
        (allowsLevelAsymmetry ? [.init("level-asymmetry-allowed", "1")] : []) + [
            .init("packetization-mode", String(packetizationMode)), .init("profile-level-id", profileLevel.text),
        ]
    }

    private static let assumed: H264ProfileLevel = {
        guard let value = H264ProfileLevel("42e01f") else { preconditionFailure("level 3.1 is a level") }
        return value
    }()
}

/// `profile-level-id=42e01f`: `profile_idc`, constraint flags and `level_idc` in six hexadecimal digits (RFC 6184
/// section 8.1).
package struct H264ProfileLevel: Sendable, Hashable {
    package var profile: H264Profile
    package var level: H264Level

    package init(_ profile: H264Profile, _ level: H264Level) {
        self.profile = profile
        self.level = level
    }

    /// Reads the text; `nil` if it is malformed, or the profile or level is unknown.
    package init?(_ text: String) {
        guard text.utf8.count == 6, let number = Text.hexadecimal(text) else { return nil }
        let constraints = UInt8(number >> 8 & 0xFF)
        guard let profile = H264Profile(idc: UInt8(number >> 16), constraints: constraints) else { return nil }
        var idc = UInt8(number & 0xFF)
        if idc == 11, constraints & Self.set3 != 0, profile.marksLevel1bByFlag { idc = 9 }
        guard let level = H264Level(idc: idc) else { return nil }
        self.init(profile, level)
    }

    package var text: String {
        let code = profile.code
        let is1b = level.idc == 9 && profile.marksLevel1bByFlag
        return [code.idc, code.constraints | (is1b ? Self.set3 : 0), is1b ? 11 : level.idc].map {
            ($0 < 16 ? "0" : "") + String($0, radix: 16)
        }.joined()
    }

    private static let set3: UInt8 = 0x10
}

/// The profiles of H.264, which `profile-level-id` distinguishes by `profile_idc` and the constraint flags (RFC 6184
/// section 8.1, table 5), without the intra-only profiles.
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

    /// Makes a profile from its numbers. `constraints` has `constraint_set0_flag` in its highest bit; the four lowest
    /// bits are zero except in Constrained High. `nil` for an unknown profile.
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

    /// `profile_idc` and constraint flags as written. Constrained Baseline has the first three flags set, as in
    /// browsers.
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

    /// True for the profiles in which level 1b is level 1.1 with `constraint_set3_flag` (ITU-T H.264 section A.3.4.1).
    var marksLevel1bByFlag: Bool {
        switch self {
        case .constrainedBaseline, .baseline, .main, .extended: true
        default: false
        }
    }
}
