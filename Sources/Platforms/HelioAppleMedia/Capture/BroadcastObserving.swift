/// Gets a broadcast's steps in order; the heartbeat (row 166) and the relay to the app implement it.
public protocol BroadcastObserving: AnyObject {
    /// Does what the broadcast has to do now; the system waits for this call.
    func perform(_ action: BroadcastAction)
}
