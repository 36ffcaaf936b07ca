import HelioCore
import Testing

@testable import HelioRecording

@Suite struct PictureGathererTests {
    private func slice(
        _ index: UInt64, _ byte: UInt8, first: Bool = false, last: Bool = false, key: Bool = false
    ) -> EncodedSlice {
        EncodedSlice(
            frameIndex: index, annexB: [byte], isFirst: first, isLast: last, isKeyframe: key,
            timing: FrameTiming(damaged: .zero, captured: .zero))
    }

    private func outcomes(_ slices: [EncodedSlice]) -> [String] {
        var gatherer = PictureGatherer()
        return slices.map { slice in
            switch gatherer.take(slice) {
            case .more: "more"
            case .broken: "broken"
            case .whole(let whole): "\(whole.frameIndex): \(whole.annexB)"
            }
        }
    }

    @Test("Slices become frames")
    func frames() {
        #expect(
            outcomes([
                slice(0, 1, first: true, key: true), slice(0, 2, key: true), slice(0, 3, last: true, key: true),
                slice(1, 4, first: true, last: true),
            ]) == ["more", "more", "0: [1, 2, 3]", "1: [4]"])
    }

    @Test("A recording that begins within a frame waits for the next")
    func middle() {
        #expect(
            outcomes([slice(4, 1), slice(4, 2, last: true), slice(5, 3, first: true, last: true)])
                == ["more", "more", "5: [3]"])
    }

    @Test("A frame without its end, or a missing one, is told; a keyframe mends it")
    func missing() {
        #expect(
            outcomes([
                slice(0, 1, first: true, last: true, key: true), slice(1, 2, first: true),
                slice(2, 3, first: true, last: true), slice(3, 4, first: true, last: true, key: true),
                slice(5, 5, first: true, last: true), slice(6, 6, first: true, last: true, key: true),
            ]) == ["0: [1]", "more", "broken", "3: [4]", "broken", "6: [6]"])
    }
}
