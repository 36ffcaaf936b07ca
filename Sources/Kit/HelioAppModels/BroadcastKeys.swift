/// The keys of the App Group's defaults by which the app tells its broadcast where to go (row 160).
public enum BroadcastKeys {
    /// The group that the app and its extension belong to.
    public static let group = "group.org.heliograph.broadcast"
    /// The server's address; absent or empty for the app itself.
    public static let endpoint = "endpoint"
    /// The stream's key at the server; absent where it needs none.
    public static let streamKey = "streamKey"
    /// The relay's socket in the group's folder: in a folder of its own, which is its owner's alone.
    public static let socket = "relay/socket"
    /// The name of the heartbeat's file in the group's folder.
    public static let heartbeat = "heartbeat"
    /// The schemes of servers that a broadcast goes to.
    public static let schemes = ["rtmp", "rtmps", "srt", "whips"]

    /// True for an address with one of the schemes and a host.
    public static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= 1024, let colon = text.firstRange(of: "://") else { return false }
        let host = text[colon.upperBound...].prefix { $0 != "/" && $0 != "?" }
        return schemes.contains(text[..<colon.lowerBound].lowercased()) && !host.isEmpty
            && !text.contains(where: \.isWhitespace)
    }
}
