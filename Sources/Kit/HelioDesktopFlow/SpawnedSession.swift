private import Foundation
package import HelioCore
package import HelioSharing
package import HelioViewerFlow
internal import HelioViewing

/// A session that another process of this program shows in a window of its own, so that drawing the app never delays
/// its pictures, and its end takes nothing else along.
///
/// The request goes by the process's standard input, and `SessionReport`s come by its standard output.
@MainActor
package final class SpawnedSession: WatchingSession {
    private let request: SessionRequest
    private let program: String
    private let onEvent: @MainActor (SessionEvent) -> Void
    private let process = Process()
    private let input = Pipe()
    private var reading: Task<Void, Never>?
    private var isOver = false
    private var isLeaving = false
    /// The time in which the process has to end once it was asked to.
    private static let leavingTime = Duration.seconds(5)

    /// - Parameter program: the path of the program to start, with the argument ``SessionProcess/argument``.
    ///
    /// Throws the errors of `Viewer` that need no network: for a malformed link, and with a remedy if a code is missing.
    package init(
        _ target: SystemWorld.SessionTarget, _ code: String?, _ options: SessionOptions, program: String,
        _ onEvent: @escaping @MainActor (SessionEvent) -> Void
    ) throws(HelioError) {
        switch target {
        case .announced(let host):
            _ = try HostPairing.link(for: host, code: code)
            request = SessionRequest(target: host.address, announced: host.name, code: code, options)
        case .text(let text):
            if !text.lowercased().hasPrefix("rtsp") { _ = try HostPairing.link(for: text, code: code) }
            request = SessionRequest(target: text, code: code, options)
        }
        self.program = program
        self.onEvent = onEvent
    }

    isolated deinit { leave() }

    package func start() {
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = [SessionProcess.argument]
        process.standardInput = input
        process.standardOutput = output
        do {
            try process.run()
            try input.fileHandleForWriting.write(contentsOf: Data((request.line() + "\n").utf8))
        } catch {
            return end(HelioError(.systemFailed, "The viewer can't be started: \(error.localizedDescription)"))
        }
        let lines = Self.lines(of: output.fileHandleForReading)
        reading = Task { [weak self] in
            for await line in lines {
                guard let report = SessionReport(line: line) else { continue }
                self?.take(report.event)
            }
            self?.end(HelioError(.systemFailed, "The viewer's window has ended without a word. Try again."))
        }
    }

    package func leave() {
        try? input.fileHandleForWriting.close()
        guard !isLeaving, process.isRunning else { return }
        isLeaving = true
        // A process that hangs, for example because the desktop does not answer it, would keep its screen in the app.
        Task { [process] in
            try? await Task.sleep(for: Self.leavingTime)
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }

    // The window has keys of its own for these; see docs/view.md.
    package func send(_ input: SinkInput) {}
    package func selectMonitor(_ id: String) {}
    package func setSound(on: Bool) {}
    package func setActualSize(_ isOn: Bool) {}
    package func setPaused(_ isPaused: Bool) {}

    private func take(_ event: SessionEvent) {
        guard !isOver else { return }
        if case .ended = event { isOver = true }
        onEvent(event)
    }

    private func end(_ error: HelioError) { take(.ended(error)) }

    /// The lines that a process writes, until it ends. A line longer than a pipe's buffer, which no report is, is
    /// dropped.
    private nonisolated static func lines(of file: FileHandle) -> AsyncStream<String> {
        let (stream, out) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(256))
        let reader = Thread {
            var rest = Data()
            while true {
                let read = file.availableData
                guard !read.isEmpty else { break }
                rest += read
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    out.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = Data(rest[rest.index(after: end)...])
                }
                if rest.count > 65536 { rest = Data() }
            }
            out.finish()
        }
        reader.name = "heliograph-session"
        reader.start()
        return stream
    }
}
