package import HelioCore

/// The connection inputs common to all server engines.
package protocol ConnectionInput: SendableMetatype {
    static func connected(_ connection: ConnectionID, address: String) -> Self
    static func received(_ connection: ConnectionID, _ bytes: [UInt8]) -> Self
    /// The system has taken `count` bytes of those sent on the connection.
    static func written(_ connection: ConnectionID, _ count: Int) -> Self
    static func disconnected(_ connection: ConnectionID) -> Self
}
