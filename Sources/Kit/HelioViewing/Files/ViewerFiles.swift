internal import HelioCore
internal import HelioOpenSSL
internal import HelioSession
private import Synchronization

/// A viewer's files, for one connection to its host after the other.
final class ViewerFiles: Sendable {
    let shared: SharedFiles
    /// What the viewer calls itself towards the host.
    let token: FileToken
    private let sessions = Mutex<UInt64>(0)

    init(_ options: FileOptions) throws(HelioError) {
        shared = try SharedFiles(options)
        var generator = SecureGenerator()
        token = FileToken(using: &generator)
    }

    /// The number of a new connection.
    func begin() -> UInt64 {
        sessions.withLock { number in
            number += 1
            return number
        }
    }

    /// Takes what happens on a connection's channel. False where the host sends more than it may.
    func take(_ traffic: FileTraffic, of session: UInt64, host: String, send: @escaping SharedFiles.Send) -> Bool {
        guard case .opened = traffic else { return shared.take(traffic, of: session) }
        // There is one host: a batch that was cut goes on with it under any address.
        shared.open(session, of: .init(token: token), name: host, .ask, send: send)
        return true
    }
}
