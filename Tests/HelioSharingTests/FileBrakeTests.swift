import HelioCore
import Testing

@testable import HelioSharing

@Suite("Files rest while pictures come")
struct FileBrakeTests {
    private static let block = 64 << 10

    /// Processes files for two seconds of virtual time beside pictures of `frame` bytes at 60 a second.
    ///
    /// - Returns: the bytes of files processed in the second second, at 1 GB/s except for the pauses.
    private static func run(_ brake: FileBrake, frame: Int) -> Int {
        var now = Instant.zero
        var nextFrame = Instant.zero
        var bytes = 0
        while now - .zero < .seconds(2) {
            while nextFrame <= now {
                brake.count(pictures: frame)
                nextFrame = nextFrame + .seconds(1) / 60
            }
            if now - .zero >= .seconds(1) { bytes += block }
            now = now + .seconds(Double(block) / 1e9) + brake.rest(after: block, now: now)
        }
        return bytes
    }

    @Test("in motion there are 4 MB/s for each core but the first", arguments: [(1, 4e6), (2, 4e6), (5, 16e6)])
    func motion(cores: Int, rate: Double) {
        let bytes = Double(Self.run(FileBrake(cores: cores), frame: 20_000))
        #expect(abs(bytes / rate - 1) < 0.1, "\(bytes)")
    }

    @Test("beside a pointer, a clock and typing there are 20 MB/s for each core but the first")
    func few() {
        let bytes = Double(Self.run(FileBrake(cores: 2), frame: 500))
        #expect(abs(bytes / 20e6 - 1) < 0.1, "\(bytes)")
    }

    @Test("without pictures nothing is braked")
    func none() {
        #expect(Self.run(FileBrake(cores: 2), frame: 0) > 900_000_000)
    }

    @Test("once the pictures have stood still for a second, files go on as they can")
    func still() {
        let brake = FileBrake(cores: 2)
        _ = Self.run(brake, frame: 20_000)
        let end = Instant.zero + .seconds(2)
        for step in 1...9 {
            #expect(brake.rest(after: Self.block, now: end + .milliseconds(100) * step) > .zero)
        }
        #expect(brake.rest(after: Self.block, now: end + .milliseconds(1101)) == .zero)
    }
}
