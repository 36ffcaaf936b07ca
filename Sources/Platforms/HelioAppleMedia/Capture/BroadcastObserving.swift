/// An observer of a broadcast, which gets its steps in order. The heartbeat (requirement row 166) and the relay to the
/// app conform.
public protocol BroadcastObserving: AnyObject {
    /// Executes a step of the broadcast; the system waits for this call.
    func perform(_ action: BroadcastAction)
}
