/// The reason why a client of a rendezvous server drops something.
package enum RendezvousClientDrop: String, CaseIterable, Hashable, Sendable {
    /// A frame that can't be parsed; the connection ends.
    case unparsable = "rendezvous-unparsable"
    /// A frame that has no meaning at this time.
    case unexpectedFrame = "rendezvous-unexpected-frame"
    /// A frame or an input of a call that has ended, or never was.
    case unknownCall = "rendezvous-unknown-call"
    /// A call beyond `RendezvousClient.Settings.mostCalls`.
    case tooManyCalls = "rendezvous-too-many-calls"
    /// The presence of a device that is not watched.
    case notWatched = "rendezvous-not-watched"
    /// A datagram for a call whose connection does not stand.
    case notOnline = "rendezvous-not-online"
    /// A message or datagram that no frame holds.
    case tooLong = "rendezvous-too-long"
    /// A message before its call could be made, beyond those that are held.
    case heldTooMany = "rendezvous-held-too-many"
    /// A permit beyond the list's length.
    case tooManyPermits = "rendezvous-too-many-permits"
    /// Permits of a device that does not register.
    case notRegistering = "rendezvous-not-registering"
    /// A device beyond those that a connection may watch.
    case tooManyWatches = "rendezvous-too-many-watches"
    /// A registration that the device's key did not sign.
    case signingFailed = "rendezvous-signing-failed"
}
