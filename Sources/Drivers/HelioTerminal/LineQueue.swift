/// A bounded queue of lines to be written, oldest first. If the queue is full, the newest line is dropped and counted,
/// since earlier lines say more about the cause of a problem.
struct LineQueue: Sendable {
    /// The reason for which a line was not written.
    enum Drop: String, CaseIterable {
        /// The queue was full: the output's reader does not read, or not fast enough.
        case notRead = "output-not-read"
        /// The system refused the line: the disk is full, or the output's reader has closed.
        case notWritten = "output-not-written"
    }

    let mostLines: Int
    let mostBytes: Int
    private var lines: [TerminalText] = []
    private var bytes = 0
    /// The total number of dropped lines by reason.
    private(set) var drops: [Drop: Int] = [:]
    /// The number of lines dropped since the last notice of missing lines.
    private var untold = 0
    private var why: String?

    init(mostLines: Int, mostBytes: Int) {
        self.mostLines = mostLines
        self.mostBytes = mostBytes
    }

    var isEmpty: Bool { lines.isEmpty }

    /// Appends a line; drops it if the queue is full.
    mutating func put(_ line: TerminalText) {
        let size = line.plain.utf8.count
        guard lines.count < mostLines, bytes + size <= mostBytes else { return drop(.notRead, "nobody read them") }
        lines.append(line)
        bytes += size
    }

    /// Counts a line that is not written.
    ///
    /// - Parameter why: the reason, for the notice.
    mutating func drop(_ reason: Drop, _ why: String) {
        drops[reason, default: 0] += 1
        untold += 1
        self.why = why
    }

    /// Removes and returns all lines.
    mutating func takeAll() -> [TerminalText] {
        defer {
            lines = []
            bytes = 0
        }
        return lines
    }

    /// Returns a sentence about the lines dropped since the last notice, and resets their number; `nil` if none were
    /// dropped. Called once a line could be written again.
    mutating func takeNotice() -> String? {
        guard untold > 0 else { return nil }
        defer { untold = 0 }
        return "(\(untold) \(untold == 1 ? "line is" : "lines are") missing here: \(why ?? "they were not written").)"
    }
}
