import HelioCore
import Testing

@Suite struct SeededGeneratorTests {
    /// SplitMix64's published first outputs for seed 1234567 (Vigna's splitmix64.c).
    @Test func isSplitMix64() {
        var generator = SeededGenerator(seed: 1_234_567)
        let outputs = (0..<5).map { _ in generator.next() }
        #expect(
            outputs == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func unitIsEven() {
        var generator = SeededGenerator(seed: 1)
        let values = (0..<10_000).map { _ in generator.unit() }
        #expect(values.allSatisfy { $0 >= 0 && $0 < 1 })
        let mean = values.reduce(0, +) / 10_000
        #expect(abs(mean - 0.5) < 0.02)
    }
}
