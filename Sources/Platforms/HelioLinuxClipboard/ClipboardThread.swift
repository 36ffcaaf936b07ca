import Glibc
import HelioCore
import HelioGround
import Synchronization

/// The thread of a clipboard, which signals its mailbox's `ended` as its last action.
final class ClipboardThread: Sendable {
    private let mailbox: ClipboardMailbox
    private let thread: Mutex<pthread_t?>

    init(_ thread: pthread_t, _ mailbox: ClipboardMailbox) {
        self.mailbox = mailbox
        self.thread = Mutex(thread)
    }

    /// Ends the thread. Returns within two seconds.
    func stop() {
        mailbox.stop()
        thread.withLock { thread in
            guard let running = thread else { return }
            thread = nil
            // A call from the handler does not wait: the thread ends once the handler returns.
            if pthread_equal(running, pthread_self()) != 0 {
                pthread_detach(running)
                return
            }
            // Shut the connection down if the other end does not answer within a second.
            if !mailbox.ended.wait(until: MonotonicClock.now + .seconds(1)) { mailbox.breakConnection() }
            if mailbox.ended.wait(until: MonotonicClock.now + .seconds(1)) {
                pthread_join(running, nil)
            } else {
                pthread_detach(running)
            }
        }
    }
}
