import Foundation
import HelioCore
import HelioOpenSSL
import HelioRendezvous
import HelioRendezvousPort
import HelioRendezvousServer
import HelioRendezvousWire
import HelioTLS
import NIOCore
import NIOPosix
import Synchronization

/// A service on loopback.
struct Service {
    let service: RendezvousService
    let port: Int
    let news: NewsLog

    final class NewsLog: Sendable {
        private let all = Mutex<[RendezvousServiceNews]>([])
        func add(_ news: RendezvousServiceNews) { all.withLock { $0.append(news) } }
        var list: [RendezvousServiceNews] { all.withLock { $0 } }
    }

    init(
        port: Int = 0, store: any RendezvousStoring = MemoryStore(),
        _ change: (inout RendezvousServiceSettings) -> Void = { _ in }
    ) async throws {
        var settings = RendezvousServiceSettings(address: "127.0.0.1", port: port)
        settings.tick = .milliseconds(50)
        // Faults are told at once.
        settings.engine.doubtTime = .zero
        change(&settings)
        let news = NewsLog()
        self.news = news
        service = RendezvousService(
            settings, store: store, on: MultiThreadedEventLoopGroup.singleton.next(), report: { news.add($0) })
        try await service.start()
        self.port = service.localPort ?? 0
    }

    func place() throws -> RendezvousPlace { try RendezvousPlace(parsing: "http://127.0.0.1:\(port)") }

    func stop() async { await service.stop() }

    func drops() async -> [String: Int] { await service.statistics().drops }

    static func token(_ number: UInt8) -> RingToken { RingToken([UInt8](repeating: number, count: 16))! }

    /// A folder that is removed after the test.
    static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    /// Writes a self-signed certificate and its key into a folder, over those that are there.
    static func writeCertificate(in folder: String) throws -> CertificateFiles {
        let key = try CertifiedKey(selfSigned: "test", lifetime: .seconds(86_400))
        let files = CertificateFiles(certificate: folder + "/certificate.pem", key: folder + "/key.pem")
        try Data(key.certificatePEM()).write(to: URL(fileURLWithPath: files.certificate))
        _ = FileManager.default.createFile(
            atPath: files.key, contents: Data(try key.keyPEM()), attributes: [.posixPermissions: 0o600])
        return files
    }
}
