import Foundation
import HelioAppleMedia
import HelioCore
import Testing

@Suite("The wait of a capture")
struct CaptureWaiterTests {
    @Test("signals end a wait, also one that comes before it, and do not add up")
    func signals() {
        let waiter = CaptureWaiter { .zero }
        waiter.signal()
        waiter.signal()
        waiter.wait(until: nil)
        // Returns since the time is up: the second signal is not there any more, or it would not matter.
        waiter.wait(until: .zero)
        waiter.signal()
        waiter.wait(until: nil)
    }

    @Test("a frame from another thread ends the media thread's wait")
    func threads() throws {
        let stream = ScriptedStream()
        let screen = try StreamScreen(
            stream: stream, monitor: nil, framesPerSecond: 60, waiter: CaptureWaiter { .zero })
        Thread.detachNewThread { stream.frame(1) }
        #expect(try screen.waitForChange(until: nil) == .changed(at: .zero))
    }
}
