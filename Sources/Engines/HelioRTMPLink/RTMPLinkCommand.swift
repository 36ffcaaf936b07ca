/// What a publisher wants done with its connection.
package enum RTMPLinkCommand: Sendable, Equatable {
    /// Open a new one.
    case connect
    case send([UInt8])
    /// Close it when what was to be sent is.
    case close
}
