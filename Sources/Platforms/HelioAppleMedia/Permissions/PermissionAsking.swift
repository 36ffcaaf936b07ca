/// A shim over the system's calls that check a permission, and that ask the person for it.
package protocol PermissionAsking: AnyObject {
    func isGranted(_ kind: PermissionKind) -> Bool
    /// Makes the system ask the person. Returns at once; `isGranted` shows the answer later.
    func ask(for kind: PermissionKind)
}
