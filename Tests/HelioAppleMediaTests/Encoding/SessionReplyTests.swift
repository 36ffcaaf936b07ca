import HelioAppleMedia
import Testing

@Suite("The answer of a session")
struct SessionReplyTests {
    @Test("is the first one given, and none where none comes in time")
    func answers() {
        let reply = SessionReply<Int>()
        reply.give(1)
        reply.give(2)
        #expect(reply.wait(atMost: .zero) == 1)
        #expect(SessionReply<Int>().wait(atMost: .zero) == nil)
    }

    @Test("comes from another thread")
    func threads() async {
        let reply = SessionReply<Int>()
        let task = Task.detached { _ = reply.give(7) }
        await task.value
        #expect(reply.wait(atMost: .seconds(10)) == 7)
    }
}
