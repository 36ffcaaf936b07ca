import HelioAppModels
import HelioHostFlow
import HelioScreenReading
import HelioTestLanes
import Testing

/// The parts of the flow that a page shows beside the menu: links, files, notes, and control of each viewer.
@Suite(.tags(.quiet))
@MainActor
struct HostPageFlowTests {
    let machine = FakeMachine()
    let flow: HostFlow
    let menu: Reader<HostMenuModel>
    private static let links = SharingLinks(link: "heliograph://h/#S", web: "http://h/#S")

    init() throws {
        flow = machine.makeFlow()
        menu = Reader(driver: flow.menu, table: try TextTable())
    }

    private func share() async throws -> FakeSharing {
        #expect(menu.press("Share this Mac"))
        await machine.settle()
        return try #require(machine.sessions.last)
    }

    @Test("each code brings its links") func ofLinks() async throws {
        let session = try await share()
        #expect(flow.menu.model.page.links == nil)
        session.set(links: Self.links)
        session.tell(.code("2222-EFGH-JKMN-PQRS"))
        await machine.settle()
        #expect(flow.menu.model.page.links == Self.links)
        #expect(menu.press("Stop sharing"))
        await machine.settle()
        #expect(flow.menu.model.page.links == nil)
    }

    @Test("control of one viewer is taken and given, but not against the preferences") func control() async throws {
        let session = try await share()
        session.set(viewers: [SharedViewer(number: 7, name: "iPad", mayDrive: true)])
        await machine.settle()
        #expect(menu.press("iPad may control"))
        await machine.settle()
        #expect(flow.menu.model.page.viewers.first?.mayDrive == false)
        #expect(menu.press("iPad may control"))
        await machine.settle()
        #expect(flow.menu.model.page.viewers.first?.mayDrive == true)
        #expect(session.asked == ["control of 7 false", "control of 7 true"])
        flow.settings.press(.viewOnly)
        session.set(viewers: [SharedViewer(number: 7, name: "iPad", mayDrive: false)])
        await machine.settle()
        #expect(menu.press("iPad may control"))
        await machine.settle()
        #expect(!session.asked.dropFirst(2).contains("control of 7 true"))
    }

    @Test("files are asked about, and notes are told") func files() async throws {
        let session = try await share()
        session.tell(.files(question: 1, name: "iPad", what: "'a.jpg' (3 MB)"))
        session.tell(.note("Recording to a.mkv."))
        await machine.settle()
        #expect(menu.text.contains("! iPad wants to send 'a.jpg' (3 MB)."))
        #expect(flow.menu.model.page.note == "Recording to a.mkv.")
        #expect(menu.press("Take"))
        session.tell(.files(question: 2, name: "iPad", what: "'b.jpg' (3 MB)"))
        session.tell(.filesOver(question: 2))
        await machine.settle()
        #expect(session.asked == ["files 1 true"] && flow.menu.model.page.question.isEmpty)
    }
}
