private import HelioCore

extension FileBatch {
    /// The batch as text: `'photo.jpg' (3.2 MB)`, `'holiday' (312 files and folders, 1.2 GB)`.
    public var summary: String {
        let number = count > 1 ? "\(count) files and folders, " : ""
        return "'\(name)' (\(number)\(Self.size(Double(bytes))))"
    }

    /// The progress as text: `Receiving 'holiday': 41 % of 1.20 GB, 12.1 MB/s, 1:02 left`.
    public var progress: String {
        let verb = isIncoming ? "Receiving" : "Sending"
        let share = bytes > 0 ? Int(Double(bytesDone) / Double(bytes) * 100) : 0
        var parts = ["\(share) % of \(Self.size(Double(bytes)))"]
        if isInterrupted { parts.append("interrupted: goes on with the next connection") }
        if rate > 0 { parts.append("\(Self.size(rate))/s") }
        if let timeLeft { parts.append("\(Self.time(timeLeft)) left") }
        return "\(verb) '\(name)': " + parts.joined(separator: ", ")
    }

    /// Returns the outcome as text.
    ///
    /// - Parameters:
    ///   - arrived: the number of files and folders that arrived.
    ///   - failed: the number of files and folders that did not arrive.
    ///   - failure: the reason why the batch ended early; `nil` if every file was tried.
    public func ending(arrived: Int, failed: Int, failure: String?) -> String {
        let name = "'\(name)'"
        if let failure {
            let some = arrived > 0 ? " \(arrived) arrived." : ""
            return "\(name) was not \(isIncoming ? "received" : "sent"): \(failure).\(some)"
        }
        let what = arrived == 1 ? name : "\(arrived) files and folders"
        let bad = failed > 0 ? " \(failed) did not arrive." : ""
        return (isIncoming ? "Received \(what) from \(peer)." : "Sent \(what) to \(peer).") + bad
    }

    private static func size(_ bytes: Double) -> String {
        switch bytes {
        case ..<1000: "\(Int(bytes)) B"
        case ..<1e6: "\((bytes / 1e3).text(decimals: 0)) kB"
        case ..<1e9: "\((bytes / 1e6).text(decimals: 1)) MB"
        default: "\((bytes / 1e9).text(decimals: 2)) GB"
        }
    }

    private static func time(_ time: Duration) -> String {
        let seconds = Int(time.components.seconds)
        let (minutes, rest) = (seconds / 60, twoDigits(seconds % 60))
        return seconds >= 3600 ? "\(minutes / 60):\(twoDigits(minutes % 60)):\(rest)" : "\(minutes):\(rest)"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
