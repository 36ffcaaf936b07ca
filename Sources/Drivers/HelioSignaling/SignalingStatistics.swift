/// Counts of a `SignalingService` since its start; `connections` and `talking` are current numbers.
package struct SignalingStatistics: Sendable {
    /// The number of open connections of all types.
    package var connections = 0
    /// The number of open WebSockets.
    package var talking = 0
    /// The number of answered HTTP requests, including refused ones.
    package var requests = 0
    package var messagesReceived = 0
    package var messagesSent = 0
    /// The number of drops by reason.
    package var drops: [String: Int] = [:]

    package init() {}
}
