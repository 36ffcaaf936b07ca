internal import HelioCore
public import HelioViewing

/// The options of an endpoint at which ordinary players (FFmpeg, GStreamer, VLC) watch by RTSP: they can't drive
/// anything.
///
/// The stream is not encrypted: it is for this machine, or for a network that is trusted.
public struct PlayerOptions: Sendable {
    /// The name and password that a player has to show, by digest authentication.
    public typealias Credentials = RTSPCredentials

    /// The address to listen on: loopback, unless there are credentials.
    public var address = "127.0.0.1"
    /// The TCP port; 0 picks a free one. RTP by UDP has free ports of its own.
    public var port = 8554
    /// The credentials of players; `nil` lets in every program that can reach the address.
    public var credentials: Credentials?

    /// The codec of the sound that players are sent, where sound is shared: AAC, which all of them take, or Opus, which
    /// comes sooner; `nil` sends none.
    public var sound: SoundAttributes.Format? = .aac

    /// Makes options for port 8554 on this machine alone, open to all its users.
    public init() {}

    /// Refuses an endpoint that other machines can reach without a password: throws `invalidArgument`.
    func validate() throws(HelioError) {
        guard !Loopback.holds(address), credentials == nil else { return }
        throw HelioError(
            .invalidArgument,
            "\(address) can be reached from other machines, so players there must show a password.",
            remedy: .protectPlayers)
    }
}
