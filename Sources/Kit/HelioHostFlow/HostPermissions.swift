/// The system's permissions for the app, and its questions to the person.
@MainActor
public protocol HostPermissions: AnyObject {
    /// True if the app may record the screen.
    var mayRecord: Bool { get }
    /// True if the app may move the pointer and type.
    var mayAct: Bool { get }
    /// Makes the system ask for permission to record; the answer shows later in `mayRecord`.
    func askToRecord()
    /// Makes the system ask for permission to act; the answer shows later in `mayAct`.
    func askToAct()
    /// Opens the system's settings at the missing permission: recording the screen, or else acting.
    func openSettings(toRecord: Bool)
}
