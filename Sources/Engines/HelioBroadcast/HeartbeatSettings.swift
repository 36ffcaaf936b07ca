/// The times of a heartbeat, by which a sender that was killed is known (rows 166 and 167).
package struct HeartbeatSettings: Sendable, Hashable {
    /// The time between two beats.
    package var interval = Duration.seconds(5)
    /// How long there has to be no beat until the sender has crashed.
    package var silence = Duration.seconds(15)
    /// How often the watcher looks: by so much it is late at most.
    package var readInterval = Duration.seconds(1)

    package init() {}
}
