/// The times of a heartbeat, by which a sender that was killed is detected (requirement rows 166 and 167).
package struct HeartbeatSettings: Sendable, Hashable {
    /// The interval at which the sender writes beats.
    package var interval = Duration.seconds(5)
    /// The time without a beat after which the sender counts as crashed.
    package var silence = Duration.seconds(15)
    /// The interval at which the watcher reads the file, which is the maximum delay of its events.
    package var readInterval = Duration.seconds(1)

    package init() {}
}
