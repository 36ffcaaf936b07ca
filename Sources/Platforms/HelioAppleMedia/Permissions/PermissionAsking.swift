/// The system's answers about permissions, and its question to the person: a shim.
package protocol PermissionAsking: AnyObject {
    func isGranted(_ kind: PermissionKind) -> Bool
    /// Makes the system ask the person. Returns at once; `isGranted` shows the answer later.
    func ask(for kind: PermissionKind)
}
