internal import HelioCore
internal import HelioOpenSSL
internal import HelioSession
internal import HelioSharing
private import Synchronization

/// A viewer's exchange of files, across connections to its host.
final class ViewerFiles: Sendable {
    let shared: SharedFiles
    /// The token by which the host recognises this viewer.
    let token: FileToken
    private let sessions = Mutex<UInt64>(0)

    init(_ options: FileOptions) throws(HelioError) {
        shared = try SharedFiles(options)
        var generator = SecureGenerator()
        token = FileToken(using: &generator)
    }

    /// Returns the number that identifies a new connection.
    func begin() -> UInt64 {
        sessions.withLock { number in
            number += 1
            return number
        }
    }

    /// Handles traffic of the file channel of connection `session`. Returns false if the host sends more than its
    /// credit allows.
    func take(_ traffic: FileTraffic, of session: UInt64, host: String, send: @escaping SharedFiles.Send) -> Bool {
        guard case .opened = traffic else { return shared.take(traffic, of: session) }
        // There is only one host, so an interrupted batch is resumed with it under any address.
        shared.open(session, of: .init(token: token), name: host, .ask, send: send)
        return true
    }
}
