/// An observer that gets the steps of a broadcast in order. The heartbeat (requirement row 166) and the relay to the
/// app conform.
public protocol BroadcastObserving: AnyObject {
    /// Executes a step of the broadcast; the system waits for this call.
    func perform(_ action: BroadcastAction)
}
