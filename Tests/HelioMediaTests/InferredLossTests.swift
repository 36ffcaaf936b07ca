import HelioBitstream
import HelioCore
import HelioMedia
import HelioRTP
import Testing

/// A browser that shows the pictures by itself gets repair pictures for what it lost: the host infers that from what
/// the browser acknowledges and requests.
@Suite("Losses of a browser that says nothing of frames") struct InferredLossTests {
    @Test(
        "what is decoded is right and numbered without a gap, and repair pictures end the stops",
        arguments: [0.02, 0.08, 0.2], 1...6 as ClosedRange<UInt64>)
    func loss(share: Double, seed: UInt64) {
        var path = LossyBrowser(loss: share, seed: seed)
        path.run(for: .seconds(20))
        path.loss = 0
        path.run(for: .seconds(4))
        #expect(path.faults == [])
        #expect(path.newestDecoded.map { $0 + 12 > path.frames } ?? false, "it stands still at the end")
        let keyframes = path.keyframes - 1
        if share > 0.1 {
            #expect(path.repairs > 0 && keyframes <= path.repairs / 4, "\(keyframes) beside \(path.repairs)")
        }
    }

    @Test("without loss nothing is repaired, whatever other viewers need") func clean() {
        var path = LossyBrowser(loss: 0, seed: 1)
        path.run(for: .seconds(5))
        #expect(path.faults == [] && path.keyframes == 1 && path.repairs == 0)
        #expect(path.newestDecoded.map { $0 + 4 > path.frames } ?? false)
    }

    @Test("where the host can't repair, keyframes end the stops") func keyframesOnly() {
        var path = LossyBrowser(loss: 0.2, seed: 3)
        path.repairsFrames = false
        path.run(for: .seconds(20))
        path.loss = 0
        path.run(for: .seconds(6))
        #expect(path.faults == [] && path.repairs == 0 && path.keyframes > 1)
        #expect(path.newestDecoded.map { $0 + 12 > path.frames } ?? false)
    }

    @Test("a picture that the queue drops is made good by a repair picture, too") func slowPath() {
        var path = LossyBrowser(loss: 0, seed: 5, rate: .kilobits(400))
        path.run(for: .seconds(3))
        path.sender.setRate(.megabits(20))
        path.run(for: .seconds(4))
        #expect(path.faults == [] && path.repairs > 0)
        #expect(path.newestDecoded.map { $0 + 12 > path.frames } ?? false)
    }
}
