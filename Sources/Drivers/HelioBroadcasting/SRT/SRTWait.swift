import CSRT
import HelioCore
import HelioGround

/// Waits for an event of a libsrt socket or a `Wakeup`, using libsrt's epoll.
final class SRTWait {
    private let number: Int32
    private let wakeup: Wakeup

    /// Makes the epoll; `nil` if the system has no descriptors left.
    init?(_ wakeup: Wakeup) {
        number = srt_epoll_create()
        self.wakeup = wakeup
        guard number >= 0 else { return nil }
        var events = Int32(SRT_EPOLL_IN.rawValue)
        guard srt_epoll_add_ssock(number, wakeup.descriptor, &events) != SRT_ERROR else { return nil }
    }

    deinit { if number >= 0 { srt_epoll_release(number) } }

    /// Adds a socket with an event to wait for: IN is a readable socket or a connection to accept, OUT a writable or
    /// connected socket. Errors always end a wait.
    func add(_ socket: SRTSocket, _ event: SRT_EPOLL_OPT) {
        var events = Int32(bitPattern: event.rawValue | SRT_EPOLL_ERR.rawValue)
        srt_epoll_add_usock(number, socket.handle, &events)
    }

    func remove(_ socket: SRTSocket) { srt_epoll_remove_usock(number, socket.handle) }

    /// Waits for an event, or for `limit`; the caller reads the socket's state afterwards.
    ///
    /// - Parameter limit: the longest wait; `nil` waits without limit.
    func wait(atMost limit: Duration?) {
        var (readable, writable): ([SRTSOCKET], [SRTSOCKET]) = ([0, 0], [0, 0])
        var (readableCount, writableCount): (Int32, Int32) = (2, 2)
        var woken: [SYSSOCKET] = [0]
        var wokenCount: Int32 = 1
        srt_epoll_wait(
            number, &readable, &readableCount, &writable, &writableCount,
            limit.map { Int64($0.wholeMilliseconds) } ?? -1,
            &woken, &wokenCount, nil, nil)
        wakeup.take()
    }
}
