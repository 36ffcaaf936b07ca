import HelioViewerFlow
import Testing

@Suite("Text that a touch keyboard types")
struct TypedTextTests {
    @Test("typed text goes at once, and Delete is a key, also where nothing is known to be deleted")
    func plain() {
        var typed = TypedText()
        #expect(typed.deleteBackward() == [.delete(1)])
        #expect(typed.insert("a") == [.type("a")])
        #expect(typed.insert("\u{1F44D}") == [.type("\u{1F44D}")])
        #expect(typed.count == 3)
        #expect(typed.deleteBackward() == [.delete(1)])
        #expect(typed.text == "a")
        #expect(typed.insert("") == [])
        #expect(typed.insert("b\nc") == [.type("b\nc")] && typed.text == "c")
    }

    @Test("an input method's text is typed when it is chosen, and not before")
    func marked() {
        var typed = TypedText()
        _ = typed.insert("x")
        typed.setMarked("ni")
        typed.setMarked("ni hao")
        #expect(typed.text == "xni hao" && typed.marked == 1..<7)
        #expect(typed.deleteBackward() == [] && typed.marked == 1..<6)
        #expect(typed.insert("\u{4F60}\u{597D}") == [.type("\u{4F60}\u{597D}")])
        #expect(typed.marked == nil && typed.text == "x\u{4F60}\u{597D}")
        typed.setMarked("k")
        #expect(typed.unmark() == [.type("k")] && typed.unmark() == [])
        typed.setMarked("q")
        typed.setMarked("")
        #expect(typed.marked == nil && typed.text.hasSuffix("k"))
        typed.setMarked("z")
        #expect(typed.deleteBackward() == [] && typed.marked == nil && typed.text.hasSuffix("k"))
    }

    @Test("a correction deletes what it replaces and all behind it, and types both again")
    func corrections() {
        var typed = TypedText()
        _ = typed.insert("teh cat")
        #expect(typed.replace(0..<3, with: "the") == [.delete(7), .type("the cat")])
        #expect(typed.text == "the cat")
        #expect(typed.replace(7..<7, with: "s") == [.type("s")])
        #expect(typed.replace(4..<8, with: "") == [.delete(4)])
        #expect(typed.replace(100..<200, with: "!") == [.type("!")])
        // A character of several code units is one Delete.
        _ = typed.insert("\u{1F469}\u{200D}\u{1F467}")
        #expect(typed.replace(5..<10, with: "x") == [.delete(1), .type("x")])
        typed.setMarked("m")
        #expect(typed.replace(0..<1, with: "T").first == .type("m"))
    }

    @Test("no more is remembered than a correction needs, and nothing once the cursor is elsewhere")
    func bounded() {
        var typed = TypedText()
        for _ in 0..<1000 { _ = typed.insert("0123456789") }
        #expect(typed.count <= TypedText.longest && typed.text.hasSuffix("789"))
        typed.reset()
        #expect(typed.text.isEmpty && typed.slice(0..<10).isEmpty)
    }
}
