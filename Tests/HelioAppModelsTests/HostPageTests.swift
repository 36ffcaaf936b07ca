import HelioAppModels
import HelioScreenReading
import Testing

/// The state of sharing for a page, and the questions and permissions that the menu shows as well.
struct HostPageTests {
    private let t: Terminal<HostMenuModel>
    private let links = SharingLinks(link: "heliograph://h/#S", web: "http://h/#S")

    init() throws {
        t = Terminal(HostMenuModel(), try TextTable())
        t.happens(.sharing(code: "ABCD-EFGH-JKMN-PQRS"))
        t.happens(.links(links))
    }

    @Test("the links belong to their code, and to no state without sharing") func ofLinks() {
        #expect(t.model.page.links == links && t.model.page.code == "ABCD-EFGH-JKMN-PQRS" && t.model.page.isOn)
        t.happens(.sharing(code: "2222-EFGH-JKMN-PQRS"))
        #expect(t.model.page.links == nil)
        t.happens(.links(links))
        t.happens(.stopped)
        #expect(t.model.page.links == nil && t.model.page.code == nil && !t.model.page.isOn)
        t.happens(.links(links))
        #expect(t.model.page.links == nil)
    }

    @Test("a phone is given the link with the longest reach; descriptions have no secret") func forPhone() {
        #expect(links.forPhone == "http://h/#S" && SharingLinks(link: "a").forPhone == "a")
        #expect(SharingLinks(link: "a", web: "b", webFromAnywhere: "c").forPhone == "c")
        #expect(!"\(links)".contains("S") && !String(reflecting: links).contains("#S"))
    }

    @Test("each viewer's control is given and taken") func control() {
        t.happens(
            .people(
                [
                    .init(number: 3, name: "iPad", drives: true, mayDrive: true),
                    .init(number: 4, name: "", mayDrive: false), .init(number: 5, name: "Old"),
                ], viewersMayDrive: true))
        #expect(t.model.page.viewers.map(\.name) == ["iPad", "4", "Old"])
        #expect(t.model.page.viewers.map(\.mayDrive) == [true, false, nil])
        #expect(t.press("iPad may control") && t.press("4 may control") && !t.press("Old may control"))
        #expect(t.taken() == [.viewerControl(3, false), .viewerControl(4, true)])
        t.model.press(.viewerControl(9), now: t.now)
        #expect(t.model.poll() == nil, "A viewer that has left is ignored.")
    }

    @Test("offers of files wait their turn, and go away when they are obsolete") func files() {
        t.happens(.files(number: 1, name: "iPad", what: "'a.jpg' (3 MB)"))
        t.happens(.files(number: 2, name: "iPad", what: "'b.jpg' (3 MB)"))
        t.happens(.files(number: 3, name: "iPad", what: "'c.jpg' (3 MB)"))
        #expect(t.text.contains("! iPad wants to send 'a.jpg' (3 MB)."))
        t.happens(.filesGone(number: 2))
        #expect(t.press("Take"))
        #expect(t.text.contains("'c.jpg'") && !t.model.page.question.isEmpty)
        t.happens(.filesGone(number: 3))
        #expect(t.model.page.question.isEmpty)
        t.happens(.files(number: 4, name: "iPad", what: "'d.jpg' (3 MB)"))
        // The answer to an earlier question of another kind.
        t.model.press(.answerPairing(true), now: t.now)
        #expect(!t.model.page.question.isEmpty)
        t.wait(HostMenuModel.patience)
        #expect(t.taken() == [.answerFiles(1, true), .answerFiles(4, false)], "No answer is no.")
    }

    @Test("offers beyond the limit are declined, and none outlives sharing") func bounded() {
        for number in 0...HostMenuModel.longestWait + 1 {
            t.happens(.files(number: number, name: "x", what: "'f'"))
        }
        #expect(t.taken() == [.answerFiles(HostMenuModel.longestWait + 1, false)])
        t.happens(.pairing(name: "Phone", digits: "1"))
        #expect(!t.text.contains("Phone"), "Two codes can't be compared at once.")
        t.happens(.stopped)
        #expect(t.model.page.question.isEmpty && t.taken() == [])
        t.wait(.seconds(100))
        #expect(t.taken() == [])
    }

    @Test("one monitor is no choice; a note, a failure and a start are told") func rest() {
        let one = SessionMonitor(id: "a", name: "Built-in", width: 2560, height: 1440, isMain: true)
        t.happens(.monitors([one], selected: "a"))
        #expect(t.model.page.monitors == [])
        t.happens(.monitors([one, SessionMonitor(id: "b", name: "Side", width: 1, height: 1)], selected: "b"))
        #expect(t.model.page.monitors.map(\.isChosen) == [false, true])
        t.happens(.note("Recording to a.mkv."))
        #expect(t.model.page.note == "Recording to a.mkv.")
        t.happens(.failed("The display is gone."))
        #expect(t.model.page.failure == Phrase(.menuFailed, "The display is gone.") && t.model.page.note == nil)
        #expect(t.press("Share this Mac") && t.model.page.isStarting && t.model.page.isOn)
    }
}
