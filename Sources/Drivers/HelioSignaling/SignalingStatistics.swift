/// Counts of a `SignalingService` since its start; `connections` and `talking` are current numbers.
public struct SignalingStatistics: Sendable {
    /// The number of open connections of all types.
    public var connections = 0
    /// The number of open WebSockets.
    public var talking = 0
    /// The number of answered HTTP requests, including refused ones.
    public var requests = 0
    /// The number of messages from clients.
    public var messagesReceived = 0
    /// The number of messages to clients.
    public var messagesSent = 0
    /// The number of drops by reason.
    public var drops: [String: Int] = [:]

    /// Makes counts of zero.
    public init() {}
}
