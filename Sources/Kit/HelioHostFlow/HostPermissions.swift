/// What the system lets the app do with this machine, and its questions to the person.
@MainActor
public protocol HostPermissions: AnyObject {
    /// Whether the app may record the screen.
    var mayRecord: Bool { get }
    /// Whether the app may move the pointer and type.
    var mayAct: Bool { get }
    /// Has the system ask; the answer is seen later.
    func askToRecord()
    /// Has the system ask; the answer is seen later.
    func askToAct()
    /// Opens the system's settings at what is missing: the recording of the screen, or else acting.
    func openSettings(toRecord: Bool)
}
