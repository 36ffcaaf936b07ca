private import Dispatch
private import Foundation
private import HelioCore
private import HelioSharing
private import HelioViewerFlow
private import HelioViewing
private import Synchronization

/// The process that shows one session for the app; see `SpawnedSession`.
package enum SessionProcess {
    /// The argument that makes the program such a process.
    package static let argument = "show-session"

    /// The number of the app's output: standard output itself may be written to by libraries.
    private struct Outlet: Sendable {
        let file: Int32

        func put(_ event: SessionEvent) {
            guard let report = SessionReport(event) else { return }
            guard let line = try? report.line() else { return }
            // A failure means that the app has ended; the input has ended then, too.
            _ = [UInt8]((line + "\n").utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        }
    }

    /// Shows the session that the first line of standard input requests, until its window is closed. Returns the
    /// program's exit status. Call it on the main thread.
    package static func run() -> Int32 {
        let outlet = Outlet(file: dup(STDOUT_FILENO))
        dup2(STDERR_FILENO, STDOUT_FILENO)
        guard let line = readLine(), let request = SessionRequest(line: line) else { return EXIT_FAILURE }
        do {
            let viewer = try makeViewer(request, outlet)
            let close = viewer.closer
            Thread.detachNewThread {
                while readLine() != nil {}
                close()
            }
            try viewer.run()
            outlet.put(.ended(nil))
            return EXIT_SUCCESS
        } catch {
            outlet.put(.ended(error as? HelioError ?? HelioError(.systemFailed, "\(error)")))
            return EXIT_FAILURE
        }
    }

    private static func makeViewer(_ request: SessionRequest, _ outlet: Outlet) throws -> Viewer {
        var options = Viewer.Options()
        options.sound = request.playsSound
        options.isViewOnly = request.watchesOnly
        options.sync = request.waitsForSound ? .inStep : .auto
        options.keys = request.typesText ? .character : nil
        options.showsHint = true
        let onEvent: (ViewerSession.Event) -> Void = { outlet.put(SessionEvent($0)) }
        let onNote: (String) -> Void = { outlet.put(.note($0)) }
        if let name = request.announced, let host = find(name, at: request.target) {
            return try Viewer(host: host, code: request.code, options: options, onNote: onNote, onEvent: onEvent)
        }
        return try Viewer(
            link: request.target, code: request.code, options: options, onNote: onNote, onEvent: onEvent)
    }

    /// Finds a host that announces itself, in some seconds at most; `nil` if there is none at this address now.
    private static func find(_ name: String, at address: String) -> DiscoveredHost? {
        let result = Mutex<DiscoveredHost?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let found = try? await HostFinder.find(name, prefersPaired: true, within: .seconds(3))
            result.withLock { $0 = found?.host }
            done.signal()
        }
        done.wait()
        return result.withLock { $0 }.flatMap { $0.address == address ? $0 : nil }
    }
}
