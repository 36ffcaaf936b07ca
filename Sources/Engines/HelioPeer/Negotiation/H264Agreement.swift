package import HelioSDP

/// The H.264 terms that both descriptions allow, for sending and receiving (RFC 6184 section 8.2.2).
package struct H264Agreement: Sendable, Hashable {
    package var profile: H264Profile
    package var packetizationMode: UInt8
    /// The highest level that this end may send.
    package var sendLevel: H264Level
    /// The highest level that the peer may send.
    package var receiveLevel: H264Level
    /// True where both ends allow different levels each way; otherwise the two levels are the same.
    package var allowsLevelAsymmetry: Bool

    /// Makes an agreement; `nil` where profile or mode are not the same.
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
