internal import ArgumentParser
private import Foundation
private import Heliograph

/// `heliograph watchdog`: watches the heartbeat file of a broadcast, and warns if the broadcast was killed.
struct WatchdogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watchdog", abstract: "Warn when a broadcast is killed.",
        discussion: """
            Watches the heartbeat of 'heliograph share --broadcast URL --heartbeat FOLDER'. Ends with 0 when that ends in \
            good order, and with 1 and a warning 15 to 20 seconds after it was killed.
            """)

    @Argument(help: "The folder that --heartbeat names.", completion: .directory)
    var folder: String

    @Flag(help: "Go on watching after an end or a crash.")
    var keep = false

    func run() async throws {
        if !FileManager.default.fileExists(atPath: folder) {
            Output.warn("There is no folder \(folder) yet: waiting until a 'share --heartbeat' begins to use it.")
        }
        let (events, feed) = AsyncStream.makeStream(
            of: BroadcastWatchdog.Event.self, bufferingPolicy: .bufferingNewest(16))
        let watchdog = try BroadcastWatchdog(heartbeat: folder) { feed.yield($0) }
        StopSignals.take()
        let stopping = Task {
            await StopSignals.wait()
            feed.finish()
        }
        defer {
            watchdog.close()
            stopping.cancel()
        }
        for await event in events {
            switch event {
            case .running: say("The broadcast is running.")
            case .ended:
                say("The broadcast has ended.")
                if !keep { return }
            case .crashed:
                Output.warn(event.warning ?? "")
                if !keep { throw ExitCode(1) }
            }
        }
    }
}
