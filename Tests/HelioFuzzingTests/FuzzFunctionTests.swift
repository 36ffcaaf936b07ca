import Foundation
import HelioCore
import Testing

/// Runs every fuzz function on its seeds, on each prefix of a seed, and on some thousands of mutations. `script/fuzz`
/// runs the same functions with libFuzzer.
@Suite("Fuzz functions")
struct FuzzFunctionTests {
    /// The number of mutations for each function; `HELIO_FUZZ_RUNS` sets another.
    static let mutations = ProcessInfo.processInfo.environment["HELIO_FUZZ_RUNS"].flatMap(Int.init) ?? 2000

    @Test(arguments: FuzzFunction.all)
    func seeds(_ function: FuzzFunction) throws {
        for seed in try Corpus.seeds(function.name) {
            for count in 0...seed.count { function.run(Array(seed[..<count])) }
        }
    }

    @Test(arguments: FuzzFunction.all)
    func mutations(_ function: FuzzFunction) throws {
        var mutator = Mutator(seeds: try Corpus.seeds(function.name), seed: 2026)
        for _ in 0..<Self.mutations { function.run(mutator.next()) }
    }

    @Test func everyFunctionIsInTheTable() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Corpus.functions.path)
        let types = files.filter { $0.hasSuffix("Fuzz.swift") }.map { String($0.dropLast(".swift".count)) }
        #expect(types.sorted() == FuzzFunction.all.map { "\($0.type)" }.sorted())
    }

    @Test func everyFolderOfSeedsHasAFunction() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Corpus.folder.path)
        #expect(folders.sorted() == FuzzFunction.all.map(\.name).sorted())
    }

    @Test func mutationsAreRepeatableAndDiffer() {
        let seeds: [[UInt8]] = [[1, 2, 3, 4], []]
        var first = Mutator(seeds: seeds, seed: 1)
        var again = Mutator(seeds: seeds, seed: 1)
        var other = Mutator(seeds: seeds, seed: 2)
        let inputs = (0..<1000).map { _ in first.next() }
        #expect(inputs == (0..<1000).map { _ in again.next() })
        #expect(inputs != (0..<1000).map { _ in other.next() })
        #expect(Set(inputs).count > 500)
        #expect(inputs.allSatisfy { $0.count <= Mutator.maximumSize })
    }
}

/// The corpus folder `Fuzz/Corpus` of this checkout.
enum Corpus {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    static let folder = root.appending(path: "Fuzz/Corpus")
    static let functions = root.appending(path: "Testing/HelioFuzzing")

    /// Returns the seeds of a function; there is at least one.
    static func seeds(_ name: String) throws -> [[UInt8]] {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: name), includingPropertiesForKeys: nil)
        let seeds = try files.sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
        return try #require(seeds.isEmpty ? nil : seeds, "Fuzz/Corpus/\(name) is empty")
    }
}
