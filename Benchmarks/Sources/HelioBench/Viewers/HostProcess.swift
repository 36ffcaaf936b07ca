import Foundation
import HelioCore

/// The CPU time of another process, over all its threads (proc(5), `stat`).
struct HostProcess {
    private let identifier: Int32

    /// Throws `invalidArgument` if there is no such process.
    init(_ text: String) throws(HelioError) {
        guard let identifier = Int32(text), identifier > 0, kill(identifier, 0) == 0 else {
            throw HelioError(.invalidArgument, "--pid \(text): there is no such process")
        }
        self.identifier = identifier
    }

    /// The sum of user and system time.
    var time: Duration {
        get throws(HelioError) {
            guard let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8),
                let name = text.lastIndex(of: ")")
            else { throw HelioError(.ended, "The host has ended") }
            // The third field of the file is the first one after the name.
            let fields = text[text.index(after: name)...].split(separator: " ").map(String.init)
            guard fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else {
                throw HelioError(.unsupported, "/proc/\(identifier)/stat is not as expected")
            }
            return .nanoseconds((user + system) * 1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
        }
    }
}
