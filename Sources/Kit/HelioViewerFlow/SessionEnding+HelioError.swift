internal import HelioAppModels
internal import HelioCore

extension SessionEnding {
    /// Makes the ending to show for an error.
    ///
    /// - Parameter hasPlayed: true if pictures had arrived before the error.
    init(_ error: HelioError, hasPlayed: Bool = false) {
        switch (error.code, error.reason) {
        case (.refused, HelioError.impostor?): self = .impostor
        case (.refused, "unknown-device"?) where hasPlayed: self = .revoked
        case (.refused, let reason?): self = .refused(reason)
        case (.ended, _): self = .hostStopped
        case (.unreachable, _): self = hasPlayed ? .lost : .unreachable
        case (.unsupported, _), (.decoderFailed, _): self = .noCodec
        default: self = .failed(error.message)
        }
    }
}

extension HelioError {
    /// True if the host is not paired and no code was given. This is not a failure: the user has to be asked for a
    /// code.
    var asksForCode: Bool {
        switch remedy {
        case .pairFirst?, .giveCode?: true
        default: false
        }
    }
}
