import Foundation
import HelioAppleMedia
import HelioCore
import HelioGround
import HelioTestLanes
import Testing

@Suite("The wait of a capture", .tags(.quiet))
struct CaptureWaiterTests {
    @Test("signals end a wait, also one that comes before it, and do not add up")
    func signals() {
        let waiter = CaptureWaiter()
        waiter.signal()
        waiter.signal()
        waiter.wait(until: nil)
        // Returns because the time has passed, whether or not the second signal is still set.
        waiter.wait(until: .zero)
        waiter.signal()
        waiter.wait(until: nil)
    }

    @Test("a frame from another thread ends the media thread's wait")
    func threads() throws {
        let stream = ScriptedStream()
        let screen = try StreamScreen(
            stream: stream, monitor: nil, framesPerSecond: 60, waiter: CaptureWaiter())
        let before = MonotonicClock.now
        Thread.detachNewThread { stream.frame(1) }
        guard case .changed(let at) = try screen.waitForChange(until: nil) else {
            Issue.record("the wait ended without the frame")
            return
        }
        #expect(at >= before)
    }
}
