/// Gets a broadcast's steps in order; the heartbeat (row 166) and the relay to the app implement it.
public protocol BroadcastObserving: AnyObject {
    /// Executes a step of the broadcast; the system waits for this call.
    func perform(_ action: BroadcastAction)
}
