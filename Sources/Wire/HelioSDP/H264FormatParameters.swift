/// The parameters of H.264 that both ends have to agree on (RFC 6184 section 8.2.2).
package struct H264FormatParameters: Sendable, Hashable {
    package var profileLevel: H264ProfileLevel
    /// 0: single NAL unit; 1: non-interleaved; 2: interleaved.
    package var packetizationMode: UInt8
    /// Each end may send at the level that the other takes.
    package var allowsLevelAsymmetry: Bool

    package init(_ profileLevel: H264ProfileLevel, packetizationMode: UInt8 = 1, allowsLevelAsymmetry: Bool = true) {
        self.profileLevel = profileLevel
        self.packetizationMode = packetizationMode
        self.allowsLevelAsymmetry = allowsLevelAsymmetry
    }

    /// `nil` where profile, level or mode are malformed or not known.
    ///
    /// Without `profile-level-id` this is Constrained Baseline at level 3.1, as browsers have it. RFC 6184 says
    /// Baseline at level 1, which no WebRTC end means when it says nothing.
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
