internal import HelioCore
public import HelioSharing

/// The options of an endpoint at which ordinary players (FFmpeg, GStreamer, VLC) watch by RTSP, without any input.
///
/// The stream is not encrypted: use it on this machine, or on a trusted network.
public struct PlayerOptions: Sendable {
    /// The name and password that a player has to give, by digest authentication.
    public typealias Credentials = RTSPCredentials

    /// The address to listen on. Without credentials it has to be loopback.
    public var address = "127.0.0.1"
    /// The TCP port; 0 picks a free one. RTP over UDP uses free ports of its own.
    public var port = 8554
    /// The credentials of players; `nil` admits every program that can reach the address.
    public var credentials: Credentials?

    /// The codec of the sound for players, if sound is shared: AAC, which all of them support, or Opus, which has less
    /// latency; `nil` sends none.
    public var sound: SoundAttributes.Format? = .aac

    /// Makes options for port 8554 on this machine alone, open to all its users.
    public init() {}

    /// Rejects an endpoint that other machines can reach without a password. Throws `invalidArgument`.
    func validate() throws(HelioError) {
        guard !Loopback.holds(address), credentials == nil else { return }
        throw HelioError(
            .invalidArgument,
            "\(address) can be reached from other machines, so players there must show a password.",
            remedy: .protectPlayers)
    }
}
