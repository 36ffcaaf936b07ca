import Glibc
package import HelioCore
import HelioGround
import Synchronization

/// The work of a clipboard's thread.
protocol ClipboardWork: AnyObject {
    var mailbox: ClipboardMailbox { get }
    /// Works until the mailbox is stopped, or the system's clipboard is lost.
    func run()
}

/// The thread of a clipboard, which ends with this object. It signals its mailbox's `ended` as its last action.
package final class ClipboardThread: Sendable {
    private final class Start {
        let work: any ClipboardWork
        init(_ work: any ClipboardWork) { self.work = work }
    }

    let mailbox: ClipboardMailbox
    private let thread: Mutex<pthread_t?>

    /// Starts the thread, which releases all resources of the work when it ends. Throws `systemFailed` if it can't be
    /// created.
    init(_ work: any ClipboardWork) throws(HelioError) {
        let argument = Unmanaged.passRetained(Start(work)).toOpaque()
        var created = pthread_t()
        guard pthread_create(&created, nil, { ClipboardThread.enter($0) }, argument) == 0 else {
            Unmanaged<Start>.fromOpaque(argument).release()
            throw HelioError(.systemFailed, "No thread is left for this process.")
        }
        mailbox = work.mailbox
        thread = Mutex(created)
    }

    deinit { stop() }

    private static func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        // A program that stops reading a paste must not end this one.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let work = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().work
        let ended = work.mailbox.ended
        work.run()
        ended.signal()
        return nil
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

/// A clipboard of Linux: its calls go to its thread, by the mailbox.
package protocol ThreadedClipboard: ClipboardAccess {
    var thread: ClipboardThread { get }
}

extension ThreadedClipboard {
    package func offer(_ entries: [ClipboardEntry]) { thread.mailbox.put(.offer(entries)) }

    package func withdraw() { thread.mailbox.put(.withdraw) }

    package func read(_ format: ClipboardFormat, of serial: ClipboardSerial, limit: Int, as id: ClipboardReadID) {
        thread.mailbox.put(.read(format, serial, limit: limit, id))
    }

    package func provide(_ paste: PasteID, _ content: Result<[UInt8], ClipboardFailure>) {
        thread.mailbox.put(.provide(paste, content))
    }

    package func stop() { thread.stop() }

    package var statistics: ClipboardAccessStatistics { thread.mailbox.statistics }
}
