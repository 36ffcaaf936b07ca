import Foundation
import HelioCore
import HelioSimulation
import HelioTestLanes
import Testing

/// A seed that failed once fails again, even in another process, where Swift's dictionaries have another order.
@Suite(.tags(.quiet))
struct ReproducibilityTests {
    private static let worlds = ["AssociationWorld", "ICEWorld", "MediaWorld", "PeerWorld", "SessionWorld"]

    @Test("every simulated world does the same in two processes", .timeLimit(.minutes(2)))
    func twoProcesses() throws {
        let first = try Self.traces()
        #expect(first.map { String($0.split(separator: " ")[1]) } == Self.worlds)
        #expect(try Self.traces() == first)
    }

    /// Runs this program again with only the tests that print traces of their worlds.
    private static func traces() throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--testing-library", "swift-testing", "--filter", "SeedTraceTests"]
        var environment = ProcessInfo.processInfo.environment
        environment["HELIO_SEED_TRACE"] = "1"
        environment["SWIFT_DETERMINISTIC_HASHING"] = nil
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
        return said.split(whereSeparator: \.isNewline).map(String.init).filter { $0.hasPrefix("SEED-TRACE ") }.sorted()
    }

    @Test func partsOfASeedDrawOtherNumbers() throws {
        var parent: any RandomNumberGenerator & Sendable = SeededGenerator(seed: 7)
        var copy = SeededGenerator(seed: 7)
        var (first, second) = (split(&parent), split(&parent))
        let drawn = [first.next(), first.next(), second.next(), second.next(), parent.next(), parent.next()]
        #expect(Set(drawn).count == drawn.count)
        // A copy draws the same numbers again.
        var same = copy
        #expect(same.next() == copy.next())
        var again: any RandomNumberGenerator & Sendable = SeededGenerator(seed: 7)
        var child = split(&again)
        #expect(child.next() == drawn[0])
        // A generator without state can be shared.
        var system: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
        var other = split(&system)
        #expect(other.next() != system.next())
    }
}
