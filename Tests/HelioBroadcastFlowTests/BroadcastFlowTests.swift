import HelioAppModels
import HelioBroadcastFlow
import HelioScreenReading
import HelioTestLanes
import Synchronization
import Testing

/// The app's side of broadcasting, driven through its screens.
@Suite(.tags(.quiet))
@MainActor
struct BroadcastFlowTests {
    final class FakeRelay: RelaySharing, Sendable {
        let codes: AsyncStream<String>
        let out: AsyncStream<String>.Continuation

        init() { (codes, out) = AsyncStream.makeStream(of: String.self) }
        func stop() async { out.finish() }
    }

    struct Busy: Error, CustomStringConvertible { let description = "Another app listens there." }

    let group: Group
    let store: GroupDefaults
    let table: TextTable
    let relay = FakeRelay()

    init() throws {
        group = try Group()
        store = GroupDefaults(group)
        table = try TextTable()
    }

    private func makeFlow(isBusy: Bool = false) -> BroadcastFlow {
        BroadcastFlow(
            BroadcastSurroundings(
                store: store, folder: group.folder,
                share: { [relay] _ in
                    if isBusy { throw Busy() }
                    return relay
                }, now: { [group] in group.clock.withLock { $0 } }))
    }

    private func settle() async { for _ in 0..<50 { await Task.yield() } }

    private func press(_ label: String, _ flow: BroadcastFlow) -> Bool {
        guard let action = table.action(label, on: flow.screen.model.screen) else { return false }
        flow.screen.press(action)
        return true
    }

    private func write(_ text: String, in label: String, _ flow: BroadcastFlow) -> Bool {
        guard let field = table.field(label, on: flow.screen.model.screen) else { return false }
        flow.screen.edit(field, text)
        return true
    }

    @Test("to the app: it listens and shows its code before the picker; the extension lives, and is killed")
    func walk() async throws {
        let flow = makeFlow()
        var script = Script(of: "HelioBroadcastFlowTests")
        let read = { table.read(flow.screen.model.screen) }
        script.see("at first", read())
        #expect(press("Start the broadcast", flow) && !flow.isPickerShown)
        await settle()
        #expect(flow.isPickerShown && group.text(BroadcastKeys.endpoint) == nil)
        relay.out.yield("ABCD-EFGH-JKMN-PQRS")
        await settle()
        script.see("ready", read())
        beat(0)
        look(flow, after: .seconds(5))
        script.see("it runs", read())
        relay.out.yield("2222-EFGH-JKMN-PQRS")
        await settle()
        script.see("another code", read())
        // The extension was killed: it writes no more beats.
        for _ in 0..<20 { look(flow, after: .seconds(1)) }
        script.see("killed", read())
        beat(7)
        look(flow, after: .seconds(5))
        #expect(press("End the broadcast", flow))
        await settle()
        #expect(!flow.isPickerShown)
        beat(8, isEnd: true)
        look(flow, after: .seconds(5))
        script.see("ended", read())
        try script.expect("relay")
    }

    @Test("to a server: address and key go to where the extension reads them, and the key is kept nowhere else")
    func server() async throws {
        let flow = makeFlow()
        var script = Script(of: "HelioBroadcastFlowTests")
        #expect(press("To a server", flow))
        #expect(write("ftp://x", in: "Server's address", flow) && press("Start the broadcast", flow))
        script.see("no such server", table.read(flow.screen.model.screen))
        #expect(write("rtmps://live.example/app", in: "Server's address", flow))
        #expect(write("secret", in: "Stream key", flow))
        store.isFull = true
        #expect(press("Start the broadcast", flow) && !flow.isPickerShown)
        script.see("not stored", table.read(flow.screen.model.screen))
        store.isFull = false
        #expect(press("Start the broadcast", flow) && flow.isPickerShown)
        script.see("stored", table.read(flow.screen.model.screen))
        #expect(group.text(BroadcastKeys.endpoint) == "rtmps://live.example/app")
        #expect(group.text(BroadcastKeys.streamKey) == "secret")
        // The next start keeps the choice; a choice of the app clears address and key.
        let again = makeFlow()
        #expect(table.read(again.screen.model.screen).contains("rtmps://live.example/app"))
        #expect(press("To who watches in this app", again) && press("Start the broadcast", again))
        await settle()
        #expect(group.defaults.withLock { $0 } == [:])
        try script.expect("server")
    }

    @Test("what can't listen says so, and shows no picker") func busy() async {
        let flow = makeFlow(isBusy: true)
        #expect(press("Start the broadcast", flow))
        await settle()
        #expect(!flow.isPickerShown)
        #expect(table.read(flow.screen.model.screen).contains("Another app listens there."))
    }

    private func beat(_ sequence: UInt64, isEnd: Bool = false) {
        group.write(BroadcastExtensionModel.heartbeat(run: 1, sequence: sequence, isEnd: isEnd, milliseconds: 5))
    }

    private func look(_ flow: BroadcastFlow, after time: Duration) {
        group.wait(time)
        flow.screen.tick()
    }

    @Test("the relay's socket is in the group's folder, or under a short name where that folder's path is too long")
    func socketPath() {
        let device = "/private/var/mobile/Containers/Shared/AppGroup/" + String(repeating: "A", count: 36)
        #expect(GroupFolder(device).socket == device + "/relay/socket")
        let simulator =
            "/Users/somebody/Library/Developer/CoreSimulator/Devices/" + String(repeating: "B", count: 36)
            + "/data/Containers/Shared/AppGroup/"
        let (one, other) = (GroupFolder(simulator + "one"), GroupFolder(simulator + "other"))
        #expect(one.socket.utf8.count <= 103 && one.socket.hasPrefix("/tmp/heliograph-"))
        #expect(one.socket == GroupFolder(one.path).socket && one.socket != other.socket)
    }
}
