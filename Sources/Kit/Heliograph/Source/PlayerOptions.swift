public import HelioCore
internal import HelioRTSPServer

/// An endpoint at which ordinary players (FFmpeg, GStreamer, VLC) watch by RTSP: they can't drive anything.
///
/// What they get is not encrypted: it is for this machine, or for a network that is trusted.
public struct PlayerOptions: Sendable {
    /// The name and password that a player has to show, by digest authentication.
    public struct Credentials: Sendable {
        let parsed: ServerCredentials

        /// Reads one line, `NAME:PASSWORD`, with or without its end.
        ///
        /// Throws `invalidArgument`, without repeating what it read.
        public init(line: String) throws(HelioError) {
            let text = line.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
            var bytes = text.first.map { Array($0) } ?? []
            if bytes.last == 0x0D { bytes.removeLast() }
            let rest = text.dropFirst()
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
            guard rest.allSatisfy(\.isEmpty), let colon,
                let parsed = ServerCredentials(
                    username: String(decoding: bytes[..<colon], as: UTF8.self), password: Array(bytes[(colon + 1)...]))
            else {
                throw HelioError(
                    .invalidArgument,
                    "The credentials have to be one line NAME:PASSWORD, each part at most "
                        + "\(ServerCredentials.longest) bytes, the name without quotes and backslashes.")
            }
            self.parsed = parsed
        }
    }

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
            "\(address) can be reached from other machines, so players there must show a password: give "
                + "--rtsp-credentials FILE, or use 127.0.0.1.")
    }
}
