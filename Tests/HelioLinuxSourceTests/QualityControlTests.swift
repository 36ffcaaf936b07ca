import HelioCore
import Testing

@testable import HelioLinuxSource

@Suite("The quantiser that the rate allows")
struct QualityControlTests {
    /// The quantisers of moving pictures at 60 a second, while the bitrate rises by a twentieth with each picture.
    private static func quantisers(from start: Bitrate, to end: Bitrate, bitsPerBlock: Double) -> [Int] {
        let total = 8160
        var control = QualityControl(bitrate: start, framesPerSecond: 60)
        var bitrate = Double(start.bitsPerSecond)
        return (0..<600).map { index in
            let now = Instant.zero + .milliseconds(17 * index)
            bitrate = min(Double(end.bitsPerSecond), bitrate * 1.05)
            control.set(bitrate: Bitrate(bitsPerSecond: Int(bitrate)), framesPerSecond: 60)
            let request = EncodeRequest(keyframe: false)
            let qp = control.quantiser(changed: total, total: total, request: request, at: now)
            let scale = QualityControl.scale(from: QualityControl.liveQP, to: qp)
            control.coded(
                bits: Int(Double(total) * bitsPerBlock * scale), qp: qp, changed: total, total: total, request: request)
            return qp
        }
    }

    @Test("what begins coarse becomes as fine as live pictures get, once the rate carries that with room to spare")
    func plenty() {
        let quantisers = Self.quantisers(from: .megabits(3), to: .megabits(20), bitsPerBlock: 20)
        #expect(quantisers[2] > QualityControl.liveQP + 1)
        #expect(quantisers.last == QualityControl.liveQP)
    }

    @Test("a rate that just carries them does not make the quantiser go up and down")
    func justEnough() {
        let quantisers = Self.quantisers(from: .megabits(3), to: .megabits(10), bitsPerBlock: 20)
        let settled = quantisers.suffix(300)
        let changes = zip(settled, settled.dropFirst()).count { $0 != $1 }
        #expect(changes <= 2)
        #expect(settled.allSatisfy { $0 <= QualityControl.liveQP + 3 })
    }
}
