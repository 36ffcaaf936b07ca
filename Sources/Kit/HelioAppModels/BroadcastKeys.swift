/// The keys of the App Group's defaults by which the app configures its broadcast (requirement row 160).
public enum BroadcastKeys {
    /// The group of the app and its extension.
    public static let group = "group.org.heliograph.broadcast"
    /// The server's address; absent or empty if the app itself is the destination.
    public static let endpoint = "endpoint"
    /// The stream key for the server; absent if the server needs none.
    public static let streamKey = "streamKey"
    /// The path of the relay's socket, relative to the App Group's container. Only the owner has access to the socket's
    /// own folder.
    public static let socket = "relay/socket"
    /// The name of the heartbeat file in the App Group's container.
    public static let heartbeat = "heartbeat"
    /// The URL schemes of servers that a broadcast can use.
    public static let schemes = ["rtmp", "rtmps", "srt", "whips"]

    /// True for an address with one of the schemes and a host.
    public static func isAddress(_ text: String) -> Bool {
        guard text.utf8.count <= 1024, let colon = text.firstRange(of: "://") else { return false }
        let host = text[colon.upperBound...].prefix { $0 != "/" && $0 != "?" }
        return schemes.contains(text[..<colon.lowerBound].lowercased()) && !host.isEmpty
            && !text.contains(where: \.isWhitespace)
    }
}
