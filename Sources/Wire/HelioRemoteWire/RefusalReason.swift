/// The reason why the host refuses a viewer; the raw value is used on the wire.
package enum RefusalReason: String, Sendable, CaseIterable, Hashable {
    case wrongProof = "wrong-proof"
    case linkUsed = "link-used"
    case unknownDevice = "unknown-device"
    case tooManyTries = "too-many-tries"
    case tooManyViewers = "too-many-viewers"
    case pairingOff = "pairing-off"
    case pairingBusy = "pairing-busy"
    case pairingTooManyTries = "pairing-too-many-tries"
    case pairingTooManyDevices = "pairing-too-many-devices"
    case pairingMalformed = "pairing-malformed"
    case pairingOutOfOrder = "pairing-out-of-order"
    /// The revealed nonce does not match the commitment.
    case pairingMismatch = "pairing-mismatch"
    case pairingDenied = "pairing-denied"
    case pairingTimedOut = "pairing-timed-out"
    /// The offer's certificate differs from that of `hello`.
    case otherCertificate = "other-certificate"
}
