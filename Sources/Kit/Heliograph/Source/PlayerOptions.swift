internal import HelioCore
public import HelioViewing

/// An endpoint at which ordinary players (FFmpeg, GStreamer, VLC) watch by RTSP: they can't drive anything.
///
/// What they get is not encrypted: it is for this machine, or for a network that is trusted.
public struct PlayerOptions: Sendable {
    /// The name and password that a player has to show, by digest authentication.
    public typealias Credentials = RTSPCredentials

    /// The address to listen on: loopback, unless there are credentials.
    public var address = "127.0.0.1"
    /// TCP port; 0 picks a free one. RTP by UDP has free ports of its own.
    public var port = 8554
    /// `nil` lets in every program that can reach the address.
    public var credentials: Credentials?

    /// Port 8554 on this machine alone, open to all its users.
    public init() {}

    /// Refuses to give the screen away: throws `invalidArgument`.
    func validate() throws(HelioError) {
        guard !Loopback.holds(address), credentials == nil else { return }
        throw HelioError(
            .invalidArgument,
            "\(address) can be reached from other machines, so players there must show a password.",
            remedy: .protectPlayers)
    }
}
