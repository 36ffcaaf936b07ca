import Foundation
import HelioCore
import HelioGround
import HelioSoundCodecs
import HelioTestLanes
import Testing

@Suite(.tags(.quiet))
struct CaptureQueueTests {
    private static func block(_ number: Int) -> CaptureQueue.Item {
        let samples = [Float](repeating: Float(number), count: 960)
        return .sound(SoundBlock(format: .standard, samples: samples, captured: .zero))
    }

    @Test("the oldest sound is lost and counted, news of devices is not")
    func overrun() {
        let queue = CaptureQueue()
        queue.put(Self.block(0))
        queue.put(.device("a"))
        for number in 1...150 { queue.put(Self.block(number)) }
        #expect(queue.overrunFrames == 51 * 480)
        guard case .item(.device("a")) = queue.take(until: .zero) else {
            Issue.record("the news is lost")
            return
        }
        for number in 51...150 {
            guard case .item(.sound(let block)) = queue.take(until: .zero) else {
                Issue.record("block \(number) is lost")
                return
            }
            #expect(block.samples[0] == Float(number))
        }
        guard case .timeout = queue.take(until: .zero) else {
            Issue.record("there is more than was put")
            return
        }
    }

    @Test("a flood of news is bounded")
    func flood() {
        let queue = CaptureQueue()
        for _ in 0..<5000 { queue.put(.lost) }
        var count = 0
        while case .item = queue.take(until: .zero) { count += 1 }
        #expect(count == 1024)
    }

    @Test("a waker comes before sound, and once")
    func woken() {
        let queue = CaptureQueue()
        queue.put(Self.block(0))
        queue.wake()
        queue.wake()
        guard case .woken = queue.take(until: nil), case .item = queue.take(until: nil),
            case .timeout = queue.take(until: .zero)
        else {
            Issue.record("another order")
            return
        }
    }

    @Test("a wait ends by what is put on another thread, however late it comes")
    func otherThread() {
        let queue = CaptureQueue()
        for number in 0..<200 {
            Thread.detachNewThread { queue.put(Self.block(number)) }
            while true {
                let outcome = queue.take(until: MonotonicClock.now + .microseconds(number % 3 * 50 + 1))
                guard case .item(.sound(let block)) = outcome else { continue }
                #expect(block.samples[0] == Float(number))
                break
            }
        }
        guard case .timeout = queue.take(until: .zero) else {
            Issue.record("there is more than was put")
            return
        }
    }
}
