import Foundation
import HelioTestPrograms
import Testing

/// A player's decoded sound of the scene, with checks of the tone.
struct HeardTone {
    static let rate = 48000.0
    /// The samples of one channel.
    let samples: [Float]

    /// Reads one channel of 32-bit floats at 48 kHz.
    init(file: URL) throws {
        let data = try Data(contentsOf: file)
        samples = data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }

    /// True if there is a tone, for each window of 10 ms.
    private var windows: [Bool] {
        stride(from: 0, to: samples.count - 479, by: 480).map { start in
            samples[start..<start + 480].reduce(0) { max($0, abs($1)) } > 0.1
        }
    }

    /// The complete bursts of the tone, as ranges of samples.
    var bursts: [Range<Int>] {
        var bursts: [Range<Int>] = []
        var begin: Int?
        for (index, isLoud) in windows.enumerated() {
            if isLoud, begin == nil { begin = index }
            if !isLoud, let start = begin {
                bursts.append(start * 480..<index * 480)
                begin = nil
            }
        }
        // The first burst may be cut by the beginning, when a decoder is still silent.
        return Array(bursts.drop { $0.lowerBound < 4800 })
    }

    /// The frequency within a range, by the upward zero crossings.
    func frequency(in range: Range<Int>) -> Double {
        var crossings: [Double] = []
        for index in range.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
            let (before, after) = (Double(samples[index - 1]), Double(samples[index]))
            crossings.append(Double(index) - after / (after - before))
        }
        guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
        return Double(crossings.count - 1) * Self.rate / (last - first)
    }

    /// Checks that there is one tone of the right pitch, without interruptions except at the ends.
    func expectPureTone() {
        let middle = min(4800, samples.count)..<max(min(4800, samples.count), samples.count - 4800)
        #expect(middle.count > 4 * 48000, "\(Double(samples.count) / Self.rate) s were heard")
        let frequency = frequency(in: middle)
        #expect(abs(frequency - FlashAndTone.frequency) < 0.25, "\(frequency) Hz")
        let silent = stride(from: middle.lowerBound, to: middle.upperBound - 480, by: 480).count { start in
            samples[start..<start + 480].reduce(0) { max($0, abs($1)) } < 0.2
        }
        #expect(silent == 0, "\(silent) times 10 ms of silence")
    }

    /// Checks the tone's pitch, rhythm and continuity.
    func expectTone(bursts least: Int) {
        let bursts = bursts
        #expect(bursts.count >= least, "the tone was heard \(bursts.count) times")
        for burst in bursts {
            let middle = burst.lowerBound + 2400..<max(burst.lowerBound + 2400, burst.upperBound - 2400)
            let frequency = frequency(in: middle)
            // One cent is 0.25 Hz.
            #expect(abs(frequency - FlashAndTone.frequency) < 0.25, "\(frequency) Hz")
            let length = Double(burst.count) / Self.rate
            #expect(abs(length - 0.5) < 0.05, "a burst of \(length) s")
        }
        for (earlier, later) in zip(bursts, bursts.dropFirst()) {
            let distance = Double(later.lowerBound - earlier.lowerBound) / Self.rate
            #expect(abs(distance - 1) < 0.03, "bursts \(distance) s apart")
        }
    }
}
