/// The system's permissions for the app, and the system's prompts for them.
@MainActor
public protocol HostPermissions: AnyObject {
    /// True if the app may record the screen.
    var mayRecord: Bool { get }
    /// True if the system lets the app inject pointer and keyboard input.
    var mayAct: Bool { get }
    /// Has the system prompt the user for permission to record the screen; `mayRecord` later reflects the answer.
    func askToRecord()
    /// Has the system prompt the user for permission to inject input; `mayAct` later reflects the answer.
    func askToAct()
    /// Opens the system's settings at a permission: the one to record the screen if `toRecord` is true, otherwise the
    /// one to inject input.
    func openSettings(toRecord: Bool)
}
