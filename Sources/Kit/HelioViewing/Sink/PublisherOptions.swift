internal import HelioCore
internal import HelioRTSPServer
internal import HelioServing
public import HelioSharing

/// The options of an RTSP endpoint to which another program publishes its stream (ANNOUNCE and RECORD): FFmpeg,
/// GStreamer, a camera. Only one program can publish at a time; another program may follow when it has left.
///
/// The stream is not encrypted: use it on this machine, or on a trusted network.
public struct PublisherOptions: Sendable {
    /// The address to listen on. Without credentials it has to be loopback.
    public var address = "127.0.0.1"
    /// The TCP port; 0 picks a free port. RTP over UDP uses other, free ports.
    public var port = 8554
    /// The credentials that a publisher has to give, by digest authentication; `nil` admits every program that can
    /// reach the address.
    public var credentials: RTSPCredentials?

    /// Makes options for port 8554 on the loopback address, without credentials, so that all users of this machine can
    /// publish.
    public init() {}

    /// Throws `invalidArgument` if other machines can reach the endpoint and there are no credentials.
    func validate() throws(HelioError) {
        guard !Loopback.holds(address), credentials == nil else { return }
        throw HelioError(
            .invalidArgument,
            "\(address) can be reached from other machines, so who publishes there must show a password.",
            remedy: .protectReceiver)
    }

    var settings: RTSPServer<RTSPRecordServer>.Settings {
        .init(address: address, port: port, credentials: credentials?.parsed)
    }

    /// The URL to publish to; the path after the host is the publisher's choice.
    func url(port: Int) -> String { "rtsp://\(LocalAddress.authority(listeningAt: address, port: port))/live" }
}
