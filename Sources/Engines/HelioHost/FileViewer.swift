package import HelioCore
package import HelioSession

/// A viewer to which files may go, or of which they may come.
package struct FileViewer: Sendable {
    package var token: FileToken
    /// The paired device that it is; another one is another viewer, whatever it calls itself.
    package var device: DeviceID?
    /// What to call it towards a person.
    package var name: String
    package var permission: FilePermission
}
