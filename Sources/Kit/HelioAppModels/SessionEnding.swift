/// The reason why a session or an attempt to connect has ended. The texts are the same as on the web page.
public enum SessionEnding: Hashable, Sendable {
    /// The host has refused, with a reason from docs/web/protocol.md.
    case refused(String)
    case hostStopped
    case revoked
    case impostor
    case unreachable
    case noPath
    case lost
    case noCodec
    /// Another error, with its message as a sentence.
    case failed(String)
    /// The user has left the session or cancelled the attempt.
    case left

    /// True for a normal end, after which the screen's button is labelled for opening the host again, not for a retry.
    var isInOrder: Bool { self == .left || self == .hostStopped }

    /// The title of the end, a few words.
    public var title: Phrase {
        switch self {
        case .refused: Phrase(.endRefused)
        case .hostStopped, .revoked, .left: Phrase(.endEnded)
        case .impostor: Phrase(.endImpostor)
        case .unreachable: Phrase(.endUnreachable)
        case .noPath: Phrase(.endNoPath)
        case .lost: Phrase(.connectLost)
        case .noCodec: Phrase(.endNoCodec)
        case .failed: Phrase(.endFailed)
        }
    }

    /// The message below the title: the reason for the end, or what to do about it.
    public var message: Phrase {
        switch self {
        case .refused(let reason): Self.refusals[reason].map { Phrase($0) } ?? Phrase(.endOtherReason, reason)
        case .hostStopped: Phrase(.endHostStopped)
        case .revoked: Phrase(.endRevoked)
        case .left: Phrase(.endLeft)
        case .impostor: Phrase(.endImpostorText)
        case .unreachable: Phrase(.endUnreachableText)
        case .noPath: Phrase(.endNoPathText)
        case .lost: Phrase(.endLostText)
        case .noCodec: Phrase(.endNoCodecText)
        case .failed(let sentence): .verbatim(sentence)
        }
    }

    static let refusals: [String: AppText] = [
        "wrong-proof": .endWrongProof, "link-used": .endWrongProof, "pairing-wrong-code": .endWrongProof,
        "other-certificate": .endImpostorText, "unknown-device": .endUnknownDevice, "too-many-tries": .endTooManyTries,
        "too-many-viewers": .endTooManyViewers, "pairing-off": .endPairingOff, "pairing-busy": .endPairingBusy,
        "pairing-too-many-tries": .endTooManyTries, "pairing-mismatch": .endMismatch, "pairing-denied": .endDenied,
        "pairing-timed-out": .endTimedOut, "outside-hours": .endOutsideHours, "paired-only": .endPairedOnly,
    ]
}
