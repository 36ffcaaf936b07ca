internal import HelioMedia
internal import HelioRTSPClient
internal import HelioRTSPServer
internal import HelioRemote
internal import HelioServing
internal import HelioSession

/// What carries a sink's session: a Heliograph host's, or another program's stream.
protocol SinkTransport: Sendable {
    func send(_ event: InputEvent)
    func submit(_ input: SinkSession.Input)
    /// `nil` before there is a session.
    func sessionStatistics() async -> SinkStatistics?
    var controlStatistics: ViewerControl.Statistics? { get }
    func stop() async
}

extension SinkClient: SinkTransport {
    func sessionStatistics() async -> SinkStatistics? { try? await statistics() }
}

/// A stream of another program can only be watched.
extension RTSPClient<RTSPPlayClient>: SinkTransport {
    func send(_ event: InputEvent) {}

    func submit(_ input: SinkSession.Input) {
        if case .keyframeNeeded = input { submit(RTSPPlayClient.Input.keyframeNeeded) }
    }

    func sessionStatistics() async -> SinkStatistics? { try? await statistics() }
    var controlStatistics: ViewerControl.Statistics? { nil }
}

/// So can what a publisher sends.
extension RTSPServer<RTSPRecordServer>: SinkTransport {
    func send(_ event: InputEvent) {}

    func submit(_ input: SinkSession.Input) {
        if case .keyframeNeeded = input { submit(RTSPRecordServer.Input.keyframeNeeded) }
    }

    func sessionStatistics() async -> SinkStatistics? { try? await statistics() }
    var controlStatistics: ViewerControl.Statistics? { nil }
}
