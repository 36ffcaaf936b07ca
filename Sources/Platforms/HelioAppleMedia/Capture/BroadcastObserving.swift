/// Who goes along with a broadcast: the place of the heartbeat (row 166) and of the relay to the app.
public protocol BroadcastObserving: AnyObject {
    /// Does what the broadcast has to do now; the system waits for this call.
    func perform(_ action: BroadcastAction)
}
