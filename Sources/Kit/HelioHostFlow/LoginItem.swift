/// The login item, which starts the app when the user logs in.
@MainActor
public protocol LoginItem: AnyObject {
    var isEnabled: Bool { get }
    /// Enables or disables the login item. Throws the system's error if the system refuses.
    func set(_ isEnabled: Bool) throws
}
