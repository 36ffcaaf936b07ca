import Foundation
import HelioAppleMedia
import HelioCore
import Synchronization

/// A test tone, and measurements of one.
enum Sine {
    static let pitch = 997.0

    /// Returns samples of one channel.
    static func samples(_ frames: Int, rate: Int, from start: Int = 0) -> [Float] {
        (start..<start + frames).map { Float(0.5 * sin(2 * .pi * pitch * Double($0) / Double(rate))) }
    }

    /// Returns the frequency of a channel in hertz, by its upward zero crossings.
    static func pitch(of samples: [Float], rate: Int) -> Double {
        var crossings: [Double] = []
        for index in 1..<max(1, samples.count) where samples[index - 1] < 0 && samples[index] >= 0 {
            let (before, after) = (Double(samples[index - 1]), Double(samples[index]))
            crossings.append(Double(index) - after / (after - before))
        }
        guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
        return Double(crossings.count - 1) * Double(rate) / (last - first)
    }

    static func left(_ interleaved: [Float]) -> [Float] {
        stride(from: 0, to: interleaved.count, by: 2).map { interleaved[$0] }
    }

    static func floats(_ bytes: [UInt8]) -> [Float] {
        bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }
}

/// Renders a tone in 48 kHz stereo, and records the requests.
final class SineRenderer: Sendable {
    private struct State {
        var frames = 0
        var heard: [(at: Instant, frame: Int)] = []
    }

    private let state = Mutex(State())

    var frames: Int { state.withLock { $0.frames } }
    var heard: [(at: Instant, frame: Int)] { state.withLock { $0.heard } }

    func render(_ samples: inout MutableSpan<Float>, _ heard: Instant) {
        let count = samples.count / 2
        let start = state.withLock { state in
            state.heard.append((at: heard, frame: state.frames))
            defer { state.frames += count }
            return state.frames
        }
        for (index, value) in Sine.samples(count, rate: 48000, from: start).enumerated() {
            samples[index * 2] = value
            samples[index * 2 + 1] = value
        }
    }
}
