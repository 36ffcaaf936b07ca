/// An event of an SRT connection, reported by the driver.
package enum SRTLinkEvent: Sendable, Hashable {
    /// The host's addresses, each as the bytes of a `sockaddr`; empty if the name is unknown.
    case resolved([[UInt8]])
    /// The listener is open, and callers can connect.
    case listening
    /// The connection is open, with the latency that both ends agreed on.
    case connected(latency: Duration)
    /// The peer has rejected the call; the value is libsrt's rejection reason.
    case rejected(Int)
    /// Calling or listening has failed; the value is libsrt's error code.
    case failed(Int)
    /// The open connection has ended, or the listener has stopped accepting callers.
    case disconnected
    /// libsrt has accepted all packets of the last unit.
    case sent
    case measured(SRTMeasurement)
}

/// A command to the driver of an SRT connection.
package enum SRTLinkCommand: Sendable, Hashable {
    /// Looks up the host's addresses; ``SRTLinkEvent/resolved(_:)`` follows.
    case resolve
    /// Calls an address of the host, in place of any earlier call.
    case call([UInt8])
    /// Waits at an address of this machine for one caller.
    case listen([UInt8])
    /// Sends a unit's packets; ``SRTLinkEvent/sent`` follows.
    case send([UInt8])
    /// Measures the connection; ``SRTLinkEvent/measured(_:)`` follows at once.
    case measure(SRTMeasurement.Purpose)
    /// Closes the connection or the listener, or cancels the attempt to connect. No event follows.
    case close
}

/// The state of an SRT connection, as reported by libsrt.
package struct SRTMeasurement: Sendable, Hashable {
    package enum Purpose: Sendable, Hashable {
        /// A periodic measurement, with which a new measuring interval of `rate` begins.
        case interval
        /// A measurement of the unacknowledged messages, before the next unit is sent and at the end.
        case buffer
    }

    package var purpose: Purpose
    /// The send rate in bits per second since the last measurement with purpose `interval`.
    package var rate = 0.0
    /// The time between the oldest and the newest unacknowledged message.
    package var buffered = Duration.zero
    /// The number of unacknowledged messages.
    package var unacknowledged = 0
    package var roundTrip = Duration.zero
    /// The bytes sent since the connection began, including headers and retransmissions.
    package var sentBytes: Int64 = 0
    package var sentPackets: Int64 = 0
    package var retransmittedPackets: Int64 = 0
    package var lostPackets: Int64 = 0
    package var latePackets: Int64 = 0

    package init(_ purpose: Purpose) { self.purpose = purpose }
}
