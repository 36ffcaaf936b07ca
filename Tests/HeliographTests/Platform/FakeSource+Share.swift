import Foundation
import HelioCore

@testable import Heliograph

extension FakeSource {
    /// Shares the machine on loopback while the body runs, with a temporary home folder.
    func share(
        isolation: isolated (any Actor)? = #isolation, _ body: (MirrorSource) async throws -> Void
    ) async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        var options = MirrorSource.Options()
        options.address = "127.0.0.1"
        options.port = 0
        options.home = home.path
        let source = try await MirrorSource.start(options, on: self)
        do {
            try await body(source)
        } catch {
            await source.stop()
            throw error
        }
        await source.stop()
    }
}
