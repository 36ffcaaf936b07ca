/// The system's answers about permissions, and its question to the person: a shim.
package protocol PermissionAsking: AnyObject {
    func isGranted(_ kind: PermissionKind) -> Bool
    /// Has the system ask the person. Returns at once; the answer is seen by `isGranted` later.
    func ask(for kind: PermissionKind)
}
