internal import HelioCore
internal import Synchronization

/// The state that a stream's callbacks share with the media thread. It is a separate object so that late callbacks do
/// not retain the screen.
final class StreamMailbox<Buffer: Sendable>: Sendable {
    struct Contents: Sendable {
        var inbox: FrameInbox<Buffer>
        /// The generation of the latest start; events of earlier generations are dropped.
        var generation = 1
        var stop: StreamStop?
        var displaysChanged = false
        var isWoken = false
    }

    private let contents: Mutex<Contents>
    let waiter: any CaptureWaiting

    init(size: PixelSize, waiter: any CaptureWaiting) {
        contents = Mutex(Contents(inbox: FrameInbox(size: size)))
        self.waiter = waiter
    }

    func withLock<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
        contents.withLock { body(&$0) }
    }

    /// Receives the stream's events, on any thread.
    var receiver: @Sendable (StreamEvent<Buffer>, Int) -> Void {
        { [self] event, generation in
            let now = waiter.now
            if withLock({ $0.receive(event, of: generation, now: now) }) { waiter.signal() }
        }
    }

    var waker: @Sendable () -> Void {
        { [self] in
            withLock { $0.isWoken = true }
            waiter.signal()
        }
    }
}

extension StreamMailbox.Contents {
    /// Handles an event. Returns true if the media thread must be woken.
    mutating func receive(_ event: StreamEvent<Buffer>, of generation: Int, now: Instant) -> Bool {
        switch event {
        case .displaysChanged:
            displaysChanged = true
            return true
        case .frame(let frame):
            guard generation == self.generation, stop == nil else {
                inbox.dropAfterStop()
                return false
            }
            let isNews = inbox.add(frame, now: now)
            if inbox.misfits < FrameInbox<Buffer>.mostMisfits { return isNews }
            stop = .ignoresSettings
            return true
        case .stopped(let reason):
            guard generation == self.generation else { return false }
            stop = reason
            return true
        }
    }
}
