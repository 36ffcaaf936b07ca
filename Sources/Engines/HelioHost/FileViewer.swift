package import HelioCore
package import HelioSession

/// A viewer that files may be sent to or received from.
package struct FileViewer: Sendable {
    package var token: FileToken
    /// The viewer's paired device; `nil` if it is not paired. Viewers with different devices are distinct, even with
    /// the same token.
    package var device: DeviceID?
    /// The viewer's human-readable name.
    package var name: String
    package var permission: FilePermission
}
