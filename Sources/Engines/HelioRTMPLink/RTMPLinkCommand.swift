/// What is to be done with a connection.
package enum RTMPLinkCommand: Sendable, Equatable {
    /// Open a new one.
    case connect
    case send([UInt8])
    /// Close it, or give up the try to open one, when what was to be sent is. Nothing is heard of it any more.
    case close
}
