internal import HelioCore
public import HelioSharing

/// The options of an RTSP endpoint for ordinary players (FFmpeg, GStreamer, VLC), which can watch but not drive.
///
/// The stream is not encrypted: use it on this machine, or on a trusted network.
public struct PlayerOptions: Sendable {
    /// The user name and password that a player has to give, by digest authentication.
    public typealias Credentials = RTSPCredentials

    /// The address to listen on. Without credentials it has to be loopback.
    public var address = "127.0.0.1"
    /// The TCP port; 0 picks a free port. RTP over UDP uses other, free ports.
    public var port = 8554
    /// The credentials of players; `nil` admits every program that can reach the address.
    public var credentials: Credentials?

    /// The codec of the sound for players, if sound is shared: AAC, which all of them support, or Opus, which has less
    /// latency; `nil` sends no sound.
    public var sound: SoundAttributes.Format? = .aac

    /// Makes options for port 8554 on the loopback address, without credentials, so that all users of this machine can
    /// watch.
    public init() {}

    /// Throws `invalidArgument` if other machines can reach the endpoint and there are no credentials.
    func validate() throws(HelioError) {
        guard !Loopback.holds(address), credentials == nil else { return }
        throw HelioError(
            .invalidArgument,
            "\(address) can be reached from other machines, so players there must show a password.",
            remedy: .protectPlayers)
    }
}
