/// What a `SignalingService` has done so far.
package struct SignalingStatistics: Sendable {
    /// Open now, of any kind.
    package var connections = 0
    /// Of them, those that exchange messages.
    package var talking = 0
    /// Requests for the page that were answered, refusals among them.
    package var requests = 0
    package var messagesReceived = 0
    package var messagesSent = 0
    /// By name.
    package var drops: [String: Int] = [:]

    package init() {}
}
