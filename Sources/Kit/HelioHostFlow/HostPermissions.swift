/// The system's permissions for the app, and its questions to the user.
@MainActor
public protocol HostPermissions: AnyObject {
    /// True if the app may record the screen.
    var mayRecord: Bool { get }
    /// True if the system lets the app inject pointer and keyboard input.
    var mayAct: Bool { get }
    /// Makes the system ask for permission to record; `mayRecord` shows the user's answer later.
    func askToRecord()
    /// Makes the system ask for permission to inject input; `mayAct` shows the user's answer later.
    func askToAct()
    /// Opens the system's settings at the missing permission: to record the screen if `toRecord`, otherwise to inject
    /// input.
    func openSettings(toRecord: Bool)
}
