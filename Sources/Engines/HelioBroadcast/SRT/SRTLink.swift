/// An event of an SRT connection, reported by the driver.
package enum SRTLinkEvent: Sendable, Hashable {
    /// The host's addresses, as the bytes of a `sockaddr` each; empty for an unknown name.
    case resolved([[UInt8]])
    /// The port is open to callers.
    case listening
    /// The connection is open, with the latency that both ends agreed on.
    case connected(latency: Duration)
    /// The other end has rejected the call; with libsrt's reason.
    case rejected(Int)
    /// Calling or listening has failed; with libsrt's error.
    case failed(Int)
    /// The connection was open, and has ended; or nobody can call any more.
    case disconnected
    /// libsrt has taken the last unit.
    case sent
    case measured(SRTMeasurement)
}

/// A command to the driver of an SRT connection.
package enum SRTLinkCommand: Sendable, Hashable {
    /// Looks up the host's addresses; ``SRTLinkEvent/resolved(_:)`` follows.
    case resolve
    /// Calls an address of the host; the call before has ended.
    case call([UInt8])
    /// Waits at an address of this machine for one caller.
    case listen([UInt8])
    /// Sends a unit's packets; ``SRTLinkEvent/sent`` follows.
    case send([UInt8])
    /// Measures the connection; ``SRTLinkEvent/measured(_:)`` follows at once.
    case measure(SRTMeasurement.Purpose)
    /// Closes the connection, or cancels the attempt. No event follows.
    case close
}

/// The state of an SRT connection, by libsrt.
package struct SRTMeasurement: Sendable, Hashable {
    package enum Purpose: Sendable, Hashable {
        /// The statistics of a second, after which the next interval of the rate begins.
        case interval
        /// The unacknowledged messages, measured before the next unit is sent, and at the end.
        case buffer
    }

    package var purpose: Purpose
    /// The send rate in bits per second since the last measurement of an interval.
    package var rate = 0.0
    /// The time between the oldest and the newest unacknowledged message.
    package var buffered = Duration.zero
    /// The number of unacknowledged messages.
    package var unacknowledged = 0
    package var roundTrip = Duration.zero
    /// Counts since the connection began.
    package var sentBytes: Int64 = 0
    package var sentPackets: Int64 = 0
    package var retransmittedPackets: Int64 = 0
    package var lostPackets: Int64 = 0
    package var latePackets: Int64 = 0

    package init(_ purpose: Purpose) { self.purpose = purpose }
}
