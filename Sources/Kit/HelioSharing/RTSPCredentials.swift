public import HelioCore
package import HelioRTSPServer

/// The name and password of an RTSP client, for digest authentication. This machine presents them to a server, or its
/// own server requires them from clients.
public struct RTSPCredentials: Sendable {
    package let parsed: ServerCredentials

    /// Parses one line, `NAME:PASSWORD`, with or without a line end.
    ///
    /// Throws `invalidArgument` if the line is malformed; the message does not quote the line.
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
