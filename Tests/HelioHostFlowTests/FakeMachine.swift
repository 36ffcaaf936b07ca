import HelioAppModels
import HelioHostFlow

/// A simulated Mac: its permissions, login items, preferences and clock.
@MainActor
final class FakeMachine: HostPermissions, LoginItem, KeyValueStore {
    struct Refusal: Error, CustomStringConvertible { let description: String }

    var mayRecord = true
    var mayAct = true
    var isEnabled = false
    var refuses: String?
    var isFull = false
    private(set) var stored: [String: String] = [:]
    private(set) var log: [String] = []

    /// The sharing sessions that were started, and their options.
    private(set) var sessions: [FakeSharing] = []
    private(set) var options: [SharingOptions] = []
    var failure: String?

    private var now = Duration.zero
    private var sleepers: [(due: Duration, wake: CheckedContinuation<Void, Never>)] = []

    init() {}

    func askToRecord() { log.append("asks to record") }
    func askToAct() { log.append("asks to act") }
    func openSettings(toRecord: Bool) { log.append("opens settings \(toRecord ? "to record" : "to act")") }

    func set(_ isEnabled: Bool) throws {
        if let refuses { throw Refusal(description: refuses) }
        self.isEnabled = isEnabled
    }

    func text(_ key: String) -> String? { stored[key] }
    func set(_ text: String?, for key: String) throws {
        if isFull { throw Refusal(description: "The disk is full.") }
        stored[key] = text
    }

    func makeFlow() -> HostFlow {
        HostFlow(
            HostSurroundings(
                share: { [self] options in
                    if let failure { throw Refusal(description: failure) }
                    self.options.append(options)
                    sessions.append(FakeSharing())
                    return sessions[sessions.count - 1]
                },
                permissions: self, loginItem: self, store: self,
                openPreferences: { self.log.append("preferences") }, quit: { self.log.append("quit") },
                now: { self.now },
                sleep: { time in
                    await withCheckedContinuation { self.sleepers.append((self.now + time, $0)) }
                    try Task.checkCancellation()
                }))
    }

    /// Advances the time.
    func wait(_ time: Duration) async {
        now += time
        let due = sleepers.filter { $0.due <= now }
        sleepers.removeAll { $0.due <= now }
        for sleeper in due { sleeper.wake.resume() }
        await settle()
    }

    /// Runs all tasks that are ready.
    func settle() async { for _ in 0..<50 { await Task.yield() } }
}
