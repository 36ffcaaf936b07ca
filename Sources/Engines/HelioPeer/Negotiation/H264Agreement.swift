package import HelioSDP

/// The negotiated H.264 profile, packetization mode and levels (RFC 6184 section 8.2.2).
package struct H264Agreement: Sendable, Hashable {
    package var profile: H264Profile
    package var packetizationMode: UInt8
    /// The highest level that this end may send.
    package var sendLevel: H264Level
    /// The highest level that the peer may send.
    package var receiveLevel: H264Level
    /// True if both ends allow different levels in the two directions; otherwise the two levels are equal.
    package var allowsLevelAsymmetry: Bool

    /// Makes an agreement; `nil` if the profiles or packetization modes differ.
    init?(local: H264FormatParameters, remote: H264FormatParameters) {
        guard local.profileLevel.profile == remote.profileLevel.profile,
            local.packetizationMode == remote.packetizationMode
        else { return nil }
        profile = local.profileLevel.profile
        packetizationMode = local.packetizationMode
        allowsLevelAsymmetry = local.allowsLevelAsymmetry && remote.allowsLevelAsymmetry
        let lower = min(local.profileLevel.level, remote.profileLevel.level)
        sendLevel = allowsLevelAsymmetry ? remote.profileLevel.level : lower
        receiveLevel = allowsLevelAsymmetry ? local.profileLevel.level : lower
    }

    /// The `a=fmtp` parameters for this end's answer.
    var answer: H264FormatParameters {
        H264FormatParameters(
            H264ProfileLevel(profile, receiveLevel), packetizationMode: packetizationMode,
            allowsLevelAsymmetry: allowsLevelAsymmetry)
    }
}
