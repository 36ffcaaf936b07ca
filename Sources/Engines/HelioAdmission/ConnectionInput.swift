package import HelioCore

/// The inputs about connections that all server engines have in common.
package protocol ConnectionInput: SendableMetatype {
    static func connected(_ connection: ConnectionID, address: String) -> Self
    static func received(_ connection: ConnectionID, _ bytes: [UInt8]) -> Self
    /// The kernel has accepted `count` of the bytes written to the connection.
    static func written(_ connection: ConnectionID, _ count: Int) -> Self
    static func disconnected(_ connection: ConnectionID) -> Self
}
