import HelioAppModels
import HelioDesktopFlow
import Testing

/// The notifications of a shared desktop.
struct HostNewsTests {
    /// A model with the events handled so far, and the news of the next one.
    private struct Story {
        var model = HostMenuModel()

        mutating func news(_ event: HostMenuModel.Event) -> [HostNews] {
            let before = model.page
            model.handle(event, now: .zero)
            return HostNews.between(before, model.page)
        }
    }

    @Test("viewers come and go; the end of sharing is no news of each") func viewers() {
        var story = Story()
        #expect(story.news(.sharing(code: "A")) == [])
        #expect(story.news(.people([.init(number: 1, name: "iPad")], viewersMayDrive: true)) == [.came("iPad")])
        // A viewer that drives now has not come anew.
        #expect(story.news(.people([.init(number: 1, name: "iPad", drives: true)], viewersMayDrive: true)) == [])
        #expect(
            story.news(.people([.init(number: 2, name: "")], viewersMayDrive: true)) == [.came("2"), .left("iPad")])
        #expect(story.news(.stopped) == [])
    }

    @Test("a question has its answers, until it is answered") func questions() {
        var story = Story()
        _ = story.news(.sharing(code: "A"))
        #expect(
            story.news(.pairing(name: "Phone", digits: "042917")) == [
                .asks(Phrase(.menuPairing, "Phone"), yes: .answerPairing(true), no: .answerPairing(false))
            ])
        #expect(story.news(.questionGone) == [.answered])
        #expect(
            story.news(.files(number: 1, name: "Phone", what: "'a'")) == [
                .asks(Phrase(.menuFiles, "Phone", "'a'"), yes: .answerFiles(true), no: .answerFiles(false))
            ])
    }

    @Test("a failure is told once") func failure() {
        var story = Story()
        _ = story.news(.sharing(code: "A"))
        #expect(story.news(.failed("Gone.")) == [.failed(Phrase(.menuFailed, "Gone."))])
        #expect(story.news(.failed("Gone.")) == [])
    }
}
