/// The statistics of a `SignalingService`.
package struct SignalingStatistics: Sendable {
    /// Connections that are open now, of any kind.
    package var connections = 0
    /// Open WebSockets.
    package var talking = 0
    /// Requests for the page that were answered, refusals among them.
    package var requests = 0
    package var messagesReceived = 0
    package var messagesSent = 0
    /// Drops, counted by reason.
    package var drops: [String: Int] = [:]

    package init() {}
}
