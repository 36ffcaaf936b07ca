import Foundation
import HelioBudgets
import HelioCore

/// Many browser viewers of one `heliograph share`, all in this process: pictures per second for each, and the host's
/// CPU time.
///
///     helio-bench viewers --link-file FILE [--count 20] [--seconds 10] [--pid HOST] [--json]
///
/// FILE is the one of `heliograph share --web-link-file`, from which each viewer reads the next link. Nothing is
/// decoded.
struct ViewerBench {
    /// The time within which the host must write its next link, and a viewer must receive its first picture.
    private static let patience = Duration.seconds(20)

    private let table: Table
    private let linkFile: String
    private let count: Int
    private let seconds: Int
    private let host: HostProcess?

    /// Parses the arguments; throws `invalidArgument` for invalid ones.
    init(_ arguments: [String], _ table: Table) throws(HelioError) {
        func value(_ name: String) -> String? {
            guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
            return arguments[place + 1]
        }
        func number(_ name: String, _ usual: Int, _ range: ClosedRange<Int>) throws(HelioError) -> Int {
            guard let text = value(name) else { return usual }
            guard let number = Int(text), range.contains(number) else {
                throw HelioError(.invalidArgument, "\(name) \(text): give a number from \(range)")
            }
            return number
        }
        guard let linkFile = value("--link-file") else {
            throw HelioError(.invalidArgument, "Name the file of 'heliograph share --web-link-file' with --link-file")
        }
        self.linkFile = linkFile
        self.table = table
        count = try number("--count", 20, 1...200)
        seconds = try number("--seconds", 10, 1...3600)
        host = try value("--pid").map { text throws(HelioError) in try HostProcess(text) }
    }

    func run() async throws {
        var viewers: [BrowserViewer] = []
        var link: PageLink?
        for number in 1...count {
            let next = try await nextLink(after: link)
            link = next
            let begin = ContinuousClock.now
            let viewer = try await BrowserViewer.join(next, name: "viewer \(number)")
            viewers.append(viewer)
            try await waitForPicture(of: viewer, number)
            viewer.timeToPicture = ContinuousClock.now - begin
        }
        for viewer in viewers { viewer.pictures.restart() }
        let (began, own, cost) = (ContinuousClock.now, CPUTime.ofProcess, try host?.time)
        try await Task.sleep(for: .seconds(seconds))
        let elapsed = (ContinuousClock.now - began).inSeconds
        let shares = (own: CPUTime.ofProcess - own, host: try host.map { try $0.time - (cost ?? .zero) })
        let counted = viewers.map { $0.pictures.counted }
        for (number, (viewer, counted)) in zip(viewers, counted).enumerated() {
            let lost = await viewer.packetsLost()
            table.figure(
                "viewer \(number + 1)",
                [
                    ("pictures/s", Double(counted.pictures) / elapsed),
                    ("Mbit/s", Double(counted.bytes) * 8 / elapsed / 1e6),
                    ("ms between two at most", counted.longestGap.inSeconds * 1000),
                    ("packets lost", Double(lost)),
                    ("ms to the first", viewer.timeToPicture.inSeconds * 1000),
                ])
        }
        let rates = counted.map { Double($0.pictures) / elapsed }
        var all = [("pictures/s at least", rates.min() ?? 0), ("pictures/s, median", Table.median(rates))]
        if let spent = shares.host {
            all.append(("% of a core, host", spent.inSeconds / elapsed * 100))
            all.append(("% of a core a viewer", spent.inSeconds / elapsed * 100 / Double(count)))
        }
        all.append(("% of a core, viewers", shares.own.inSeconds / elapsed * 100))
        table.figure("all \(count)", all)
        for viewer in viewers { await viewer.leave() }
    }

    /// Returns the next link. Each admits one viewer; the host then writes another.
    private func nextLink(after used: PageLink?) async throws -> PageLink {
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            // The file may just be being written.
            if let text = try? String(contentsOfFile: linkFile, encoding: .utf8), let link = try? PageLink(text),
                link.secret != used?.secret
            {
                return link
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw HelioError(.unreachable, "There is no unused link in \(linkFile): is that the host's --web-link-file?")
    }

    private func waitForPicture(of viewer: BrowserViewer, _ number: Int) async throws {
        let end = ContinuousClock.now + Self.patience
        while viewer.pictures.counted.pictures == 0 {
            if let problem = viewer.problem { throw HelioError(.unreachable, "Viewer \(number): \(problem)") }
            if ContinuousClock.now > end { throw HelioError(.unreachable, "Viewer \(number) sees no picture") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
