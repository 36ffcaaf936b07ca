/// The times of a heartbeat, which detects a sender that was killed (requirement rows 166 and 167).
package struct HeartbeatSettings: Sendable, Hashable {
    /// The time between two beats.
    package var interval = Duration.seconds(5)
    /// The time without a beat after which the sender counts as crashed.
    package var silence = Duration.seconds(15)
    /// The interval at which the watcher reads the file, and so its largest delay.
    package var readInterval = Duration.seconds(1)

    package init() {}
}
