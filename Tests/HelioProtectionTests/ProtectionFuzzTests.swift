import Foundation
import HelioCore
import HelioFuzzing
import Testing

/// A short run of the fuzz functions on every seed file, on truncations, and on seeded noise.
@Suite("Fuzz functions")
struct ProtectionFuzzTests {
    @Test(arguments: ["srtp", "sealed-channel"]) func corpus(_ name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fuzz/Corpus/\(name)")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: file))
            for count in 0...bytes.count { run(name, Array(bytes[..<count])) }
        }
    }

    @Test(arguments: ["srtp", "sealed-channel"]) func noise(_ name: String) {
        var generator = SeededGenerator(seed: 77)
        for _ in 0..<3000 {
            let count = Int.random(in: 0...100, using: &generator)
            run(name, (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        }
    }

    private func run(_ name: String, _ bytes: [UInt8]) {
        name == "srtp" ? SRTPFuzz.run(bytes) : SealedChannelFuzz.run(bytes)
    }
}
