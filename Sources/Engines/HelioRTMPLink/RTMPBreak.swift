package import HelioRTMP

/// Why there is no connection any more, or none yet; another try follows.
package enum RTMPBreak: Sendable, Hashable {
    /// The host's name is not known.
    case unresolved
    /// Nobody answers.
    case unreachable
    /// The server takes connections, and then says nothing; what was waited for.
    case silent(RTMPWait)
    /// The server takes no data any more.
    case stalled
    /// The connection was lost.
    case lost
    /// The server has ended the connection in answer to the stream's key, or soon after.
    case hungUp
    /// The server still has our last connection, which it holds to be another's.
    case nameInUse
    /// The server lets nobody in at the moment, or has ended the stream.
    case busy
    /// What the server sends is no chunk stream.
    case malformed(RTMPChunkFault)
    /// What the server sends is not what RTMP has there: a version, a command.
    case violation
    /// The server asks for answers without end, and reads none.
    case flooded

    /// What is wrong, for a person.
    package var message: String {
        switch self {
        case .unresolved: "The RTMP server's name is not known."
        case .unreachable: "The RTMP server does not answer."
        case .silent: "The RTMP server takes the connection, but does not answer."
        case .stalled: "The RTMP server takes no data any more."
        case .lost: "The RTMP connection is lost."
        case .hungUp: "The RTMP server has hung up."
        case .nameInUse: "The RTMP server has not noticed yet that the last connection is gone."
        case .busy: "The RTMP server lets nobody in at the moment."
        case .malformed, .violation, .flooded: "What the RTMP server sends makes no sense."
        }
    }
}
