/// The reason why the host refuses a viewer; the raw value is used on the wire.
public enum RefusalReason: String, Sendable, CaseIterable, Hashable {
    /// The viewer's proof does not fit the secret.
    case wrongProof = "wrong-proof"
    /// Another viewer has used the link.
    case linkUsed = "link-used"
    /// The host knows no such pairing, or no longer.
    case unknownDevice = "unknown-device"
    /// Too many wrong proofs came from this address.
    case tooManyTries = "too-many-tries"
    /// The host has as many viewers as it takes.
    case tooManyViewers = "too-many-viewers"
    /// Nobody is at the host to compare codes.
    case pairingOff = "pairing-off"
    /// Another device is being paired.
    case pairingBusy = "pairing-busy"
    /// Too many pairings were tried.
    case pairingTooManyTries = "pairing-too-many-tries"
    /// The host has as many paired devices as it keeps.
    case pairingTooManyDevices = "pairing-too-many-devices"
    /// A message of the pairing was malformed.
    case pairingMalformed = "pairing-malformed"
    /// A message of the pairing came at the wrong time.
    case pairingOutOfOrder = "pairing-out-of-order"
    /// The revealed nonce does not match the commitment.
    case pairingMismatch = "pairing-mismatch"
    /// The host's user has said no.
    case pairingDenied = "pairing-denied"
    /// The pairing took too long.
    case pairingTimedOut = "pairing-timed-out"
    /// The offer's certificate differs from that of `hello`.
    case otherCertificate = "other-certificate"
    /// The viewer's paired device has come outside its hours.
    case outsideHours = "outside-hours"
    /// The host admits only paired devices, and nobody by a link.
    case pairedOnly = "paired-only"
}
