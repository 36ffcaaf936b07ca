import HelioBroadcast
import HelioCore

/// Fuzzes the parser and the watcher of heartbeat files. A parsed record must be written unchanged, and no crash may be
/// reported too early or after a clean end.
package enum HeartbeatFuzz {
    package static func run(_ bytes: [UInt8]) {
        if let record = HeartbeatRecord(bytes) { precondition(record.bytes == bytes) }
        watch(bytes)
    }

    /// Runs the watcher with two bytes per step: the content of the file, and the time that passes.
    private static func watch(_ bytes: [UInt8]) {
        var watch = HeartbeatWatch(now: .zero)
        var now = Instant.zero
        var file: HeartbeatRecord?
        // The last record that the watcher has read, and the time at which it was new. If the file disappears and
        // returns with the same record, that is not a new beat.
        var given: HeartbeatRecord?
        var since = now
        for step in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (what, argument) = (bytes[step], bytes[step + 1])
            if what & 3 != 0 {
                file =
                    what & 3 == 1
                    ? nil
                    : HeartbeatRecord(
                        run: UInt64(what >> 4), sequence: UInt64(argument), milliseconds: 0, isEnd: what & 12 == 0)
            }
            now = now + .milliseconds(100 * Int(argument))
            watch.tick(now: now)
            while let output = watch.poll() {
                switch output {
                case .read:
                    if let file, file != given { (given, since) = (file, now) }
                    watch.handle(.read(file), now: now)
                case .event(.crashed):
                    precondition(given?.isEnd == false, "a crash after a clean end, or of nobody")
                    precondition(now - since >= .seconds(15), "a crash too soon")
                case .event: break
                }
            }
            precondition(watch.deadline.map { $0.at > now } == true)
        }
    }
}
