/// A file or folder with keys or pairings, by its owner and permissions.
package struct KeyFile: Sendable, Equatable {
    package var path: String
    package var owner: UInt32
    /// The permission bits, such as 0o600.
    package var permissions: UInt32
    package var isFolder: Bool

    package init(_ path: String, owner: UInt32, permissions: UInt32, isFolder: Bool = false) {
        self.path = path
        self.owner = owner
        self.permissions = permissions
        self.isFolder = isFolder
    }
}
