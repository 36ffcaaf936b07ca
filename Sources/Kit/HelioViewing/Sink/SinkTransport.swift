internal import HelioMedia
internal import HelioRTSPClient
internal import HelioRTSPServer
internal import HelioRemote
internal import HelioServing
internal import HelioSession

/// The connection that carries a sink's session: to a Heliograph host, or from another program's stream.
protocol SinkTransport: Sendable {
    func send(_ event: InputEvent)
    /// Sends messages about files, within the session's credit.
    func send(files messages: [[UInt8]])
    func submit(_ input: SinkSession.Input)
    /// The session's statistics; `nil` before there is a session.
    func sessionStatistics() async -> SinkStatistics?
    var controlStatistics: ViewerControl.Statistics? { get }
    func stop() async
}

extension SinkClient: SinkTransport {
    func sessionStatistics() async -> SinkStatistics? { try? await statistics() }
}

/// Another program's stream as a transport: it ignores input, files, and all requests except for a keyframe.
protocol ForeignTransport: SinkTransport {
    func requestKeyframe()
}

extension ForeignTransport {
    func send(_ event: InputEvent) {}
    func send(files messages: [[UInt8]]) {}
    func submit(_ input: SinkSession.Input) { if case .keyframeNeeded = input { requestKeyframe() } }
    var controlStatistics: ViewerControl.Statistics? { nil }
}

extension RTSPClient<RTSPPlayClient>: SinkTransport, ForeignTransport {
    func requestKeyframe() { submit(RTSPPlayClient.Input.keyframeNeeded) }
    func sessionStatistics() async -> SinkStatistics? { try? await statistics() }
}

extension RTSPServer<RTSPRecordServer>: SinkTransport, ForeignTransport {
    func requestKeyframe() { submit(RTSPRecordServer.Input.keyframeNeeded) }
    func sessionStatistics() async -> SinkStatistics? { try? await statistics() }
}
