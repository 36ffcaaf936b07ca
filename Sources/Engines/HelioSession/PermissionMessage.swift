import HelioCore

/// The permission to drive the host or only to watch, as the body of a SET_PARAMETER request: `control` or `watch`.
enum PermissionMessage {
    static let contentType = "application/x-heliograph-permission"

    static func encode(_ allowsControl: Bool) -> [UInt8] {
        Array(ControlPermission(allowsControl: allowsControl).rawValue.utf8)
    }

    static func decode(_ bytes: [UInt8]) -> Bool? {
        ControlPermission(rawValue: String(decoding: bytes.prefix(16), as: UTF8.self))?.allowsControl
    }
}
