/// A command to the driver about the connection.
package enum RTMPLinkCommand: Sendable, Equatable {
    /// Opens a new connection.
    case connect
    case send([UInt8])
    /// Closes the connection after all sent bytes, or cancels the attempt to open one. No more events of it are
    /// reported.
    case close
}
