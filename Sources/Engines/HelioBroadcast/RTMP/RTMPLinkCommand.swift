/// A command of an RTMP sender to the driver of its connection.
package enum RTMPLinkCommand: Sendable, Equatable {
    /// Opens a new connection.
    case connect
    case send([UInt8])
    /// Closes the connection once all bytes are sent, or cancels the attempt to connect. No more events of the
    /// connection are reported.
    case close
}
