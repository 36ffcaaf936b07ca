import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// A machine that sleeps in one home, `heliograph share` on another there, and a viewer in a second home: the packets
/// that wake it, caught by both homes' routers.
@Suite("Waking a machine from another home", .serialized, .timeLimit(.minutes(4)), .tags(.quiet))
struct WakeTests {
    private static let address = "02:00:00:00:00:2a"

    @Test("a sleeping machine is woken by a paired host on its network, by 'wake' and by 'view'")
    func fromAfar() throws {
        let desktop = try FarDesktop(share: ["--name", "attic"], code: "ABCD-EFGH-JKMN-PQRS")
        try desktop.host.waitUntilReached()
        let pairing = try desktop.pair()
        #expect(pairing.waitUntilExit() == 0, "\(pairing.text)")
        try addSleeper("tower", 7, wake: Self.address, to: desktop.hosts)
        try addSleeper("cellar", 8, wake: nil, to: desktop.hosts)
        let there = try WakePackets(on: desktop.world.router(.host))
        let here = try WakePackets(on: desktop.world.router(.viewer))

        let waking = try desktop.start(["wake", "tower"])
        #expect(waking.waitUntilExit() == 0, "\(waking.text)")
        #expect(waking.text.contains("Sent packets that wake tower (\(Self.address))"))
        #expect(waking.text.contains("attic has sent them on its network."), "\(waking.text)")
        try desktop.host.share.line(with: "woken on this network")
        // Three times, to the network's own broadcast address and to the general one; and nothing else.
        for catcher in [here, there] {
            for _ in 0..<6 { try catcher.expect(Self.address) }
            #expect(catcher.caught.count == 6)
        }

        let unknown = try desktop.start(["wake", "cellar"])
        #expect(unknown.waitUntilExit() != 0)
        #expect(unknown.text.contains("The hardware address of cellar is not known"), "\(unknown.text)")

        let patient = try desktop.start(["view", "tower"])
        defer { patient.kill() }
        try patient.line(with: "tower does not answer: trying to wake it")
        try there.expect(Self.address)

        let impatient = try desktop.start(["view", "--no-wake", "--close-at-end", "tower"])
        #expect(impatient.waitUntilExit() != 0)
        #expect(!impatient.text.contains("wake it"), "\(impatient.text)")
    }

    @Test("what can't be woken is said")
    func mistakes() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-wake-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = "heliograph://127.0.0.1:1/#0000-0000-0000-0000"
        for (name, sentence) in [("tower", "not paired with tower"), (link, "Only paired hosts can be woken")] {
            let program = try RunningProgram(
                SharedDesktop.heliograph, ["wake", name], environment: ["HELIOGRAPH_HOME": folder.path])
            #expect(program.waitUntilExit() != 0)
            #expect(program.text.contains(sentence), "\(program.text)")
        }
    }

    /// Adds a machine, for which nothing answers, to the paired hosts: as if it had been paired and then gone to sleep.
    private func addSleeper(_ name: String, _ number: UInt8, wake: String?, to hosts: URL) throws {
        let stored = try JSONSerialization.jsonObject(with: Data(contentsOf: hosts))
        var contents = try #require(stored as? [String: Any])
        var entries = try #require(contents["entries"] as? [[String: Any]])
        var sleeper = try #require(entries.first)
        sleeper["name"] = name
        sleeper["address"] = "192.168.1.99"
        sleeper["fingerprint"] = Data(repeating: number, count: 32).base64EncodedString()
        sleeper["rendezvous"] = nil
        sleeper["wake"] = wake
        entries.append(sleeper)
        contents["entries"] = entries
        // Written in place: the file stays readable by its owner alone.
        try JSONSerialization.data(withJSONObject: contents).write(to: hosts)
    }
}
