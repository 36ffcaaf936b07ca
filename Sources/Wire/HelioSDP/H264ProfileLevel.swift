/// `profile-level-id=42e01f`: `profile_idc`, constraint flags and `level_idc` in six hexadecimal digits (RFC 6184
/// section 8.1).
package struct H264ProfileLevel: Sendable, Hashable {
    package var profile: H264Profile
    package var level: H264Level

    package init(_ profile: H264Profile, _ level: H264Level) {
        self.profile = profile
        self.level = level
    }

    /// `nil` where the text is no such number, or profile or level are not known.
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
