/// The reason why a rendezvous server refuses or drops something.
package enum RendezvousServerDrop: String, CaseIterable, Hashable, Sendable {
    // Limits of an address (`IPAddress.origin`).
    /// A connection beyond those that an address may have.
    case addressConnections = "address-connections"
    /// A ring faster than an address may ring.
    case addressRings = "address-rings"
    /// A wrong token faster than an address may be wrong; the connection ends.
    case addressGuesses = "address-guesses"
    /// An unknown device faster than an address may bring them; the connection ends.
    case addressDevices = "address-devices"
    /// A watch of a device that is not known, faster than an address may have the store asked.
    case addressQuestions = "address-questions"
    /// An address beyond those that are known at once.
    case addresses
    // Limits of the server and of a connection.
    /// A connection beyond those that the server may have.
    case serverConnections = "server-connections"
    /// A device beyond those that the server remembers.
    case serverDevices = "server-devices"
    /// A call beyond those that a connection may make.
    case connectionCalls = "connection-calls"
    /// Frames faster than a connection may send; it ends.
    case connectionFrames = "connection-frames"
    /// A datagram faster than a connection may send.
    case connectionData = "connection-data"
    /// A device beyond those that a connection may watch.
    case connectionWatches = "connection-watches"
    /// A connection that did not register, ring or watch in time.
    case idle
    /// A connection that reads too slowly; it ends.
    case slowConnection = "slow-connection"
    // Limits of a device.
    /// A call beyond those that a host may have.
    case deviceCalls = "device-calls"
    /// A ring faster than a host may be rung.
    case deviceRings = "device-rings"
    /// A watch beyond those that a device may have.
    case deviceWatchers = "device-watchers"
    /// Lists of permits faster than a host may publish.
    case devicePermits = "device-permits"
    // Limits of a call; all but the two of data end it.
    /// Messages faster than a call may send.
    case callMessages = "call-messages"
    /// A message before the host was reached, beyond those that are held.
    case callHeld = "call-held"
    /// A message for an end that reads too slowly.
    case messageWaiting = "message-waiting"
    /// A datagram faster than a call may send.
    case callData = "call-data"
    /// A datagram for an end that reads too slowly.
    case dataWaiting = "data-waiting"
    // Malformed and forbidden frames.
    /// A frame that can't be parsed; the connection ends.
    case unparsable
    /// A frame that is not allowed at this time; the connection ends.
    case unexpectedFrame = "unexpected-frame"
    /// A registration with a wrong signature; the connection ends.
    case wrongSignature = "wrong-signature"
    /// A device that the operator has blocked.
    case blocked
    /// A ring without a permit.
    case notPermitted = "not-permitted"
    /// A ring of a device that the server may have forgotten.
    case notKnownYet = "not-known-yet"
    /// A frame of a call that has ended, or never was.
    case unknownCall = "unknown-call"
    /// An input of a connection that has ended.
    case unknownConnection = "unknown-connection"
    /// A question to the store beyond those that wait at once.
    case storeBusy = "store-busy"
    /// A TURN server whose credentials could not be made, or fit no frame.
    case turnFailed = "turn-failed"
    // The bus.
    /// A message of the bus that can't be parsed.
    case busUnparsable = "bus-unparsable"
    /// A message of an instance that is not known, or beyond those that may be.
    case busUnknownInstance = "bus-unknown-instance"
    /// A message of the bus for a call that has ended.
    case busUnknownCall = "bus-unknown-call"
    /// A record of a device that is older than what is known.
    case busOldRecord = "bus-old-record"
}
