/// Starts the app when the person logs in.
@MainActor
public protocol LoginItem: AnyObject {
    var isEnabled: Bool { get }
    /// Throws what the system says where it refuses.
    func set(_ isEnabled: Bool) throws
}
