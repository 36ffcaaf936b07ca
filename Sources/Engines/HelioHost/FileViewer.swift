package import HelioCore
package import HelioSession

/// A viewer that files may be sent to or received from.
package struct FileViewer: Sendable {
    package var token: FileToken
    /// The viewer's paired device; `nil` if it is not paired. Another device is another viewer, whatever token it
    /// sends.
    package var device: DeviceID?
    /// The viewer's human-readable name.
    package var name: String
    package var permission: FilePermission
}
