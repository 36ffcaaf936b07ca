internal import HelioMedia
internal import HelioRTSPClient
internal import HelioRTSPServer
internal import HelioRemote
internal import HelioServing
internal import HelioSession

/// The connection that carries a sink's session: to a Heliograph host, or from another program's stream.
protocol SinkTransport: Sendable {
    func send(_ event: InputEvent)
    func submit(_ input: SinkSession.Input)
    /// The session's statistics; `nil` before there is a session.
    func sessionStatistics() async -> SinkStatistics?
    var controlStatistics: ViewerControl.Statistics? { get }
    func stop() async
}

extension SinkClient: SinkTransport {
    func sessionStatistics() async -> SinkStatistics? { try? await statistics() }
}

/// Another program's RTSP server as a transport: it accepts no input.
extension RTSPClient<RTSPPlayClient>: SinkTransport {
    func send(_ event: InputEvent) {}

    func submit(_ input: SinkSession.Input) {
        if case .keyframeNeeded = input { submit(RTSPPlayClient.Input.keyframeNeeded) }
    }

    func sessionStatistics() async -> SinkStatistics? { try? await statistics() }
    var controlStatistics: ViewerControl.Statistics? { nil }
}

/// A publisher's stream as a transport: it accepts no input either.
extension RTSPServer<RTSPRecordServer>: SinkTransport {
    func send(_ event: InputEvent) {}

    func submit(_ input: SinkSession.Input) {
        if case .keyframeNeeded = input { submit(RTSPRecordServer.Input.keyframeNeeded) }
    }

    func sessionStatistics() async -> SinkStatistics? { try? await statistics() }
    var controlStatistics: ViewerControl.Statistics? { nil }
}
