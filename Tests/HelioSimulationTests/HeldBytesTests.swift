import HelioSimulation
import Testing

@Suite("The bytes that a value holds")
struct HeldBytesTests {
    private class Node {
        private let bytes: [UInt8]
        var next: Node?

        init(_ count: Int) { bytes = [UInt8](repeating: 1, count: count) }
    }

    private final class NamedNode: Node {
        private let name = "four"
    }

    private enum Message {
        case data(number: Int, [UInt8])
        case nothing
    }

    @Test("bytes and strings count by their length, other scalars as 8") func scalars() {
        #expect(heldBytes([UInt8](repeating: 1, count: 1000)) == 1000)
        #expect(heldBytes("äb") == 3)
        #expect(heldBytes(7) == 8 && heldBytes(Message.nothing) == 8)
        #expect(heldBytes([1, 2, 3]) == 24)
        #expect(heldBytes(Message.data(number: 1, [1, 2, 3])) == 11)
        #expect(heldBytes(["a": [UInt8](repeating: 1, count: 50)]) == 51)
    }

    @Test("an object counts once, with what it inherits, and storage that is shared too") func objects() {
        let node = NamedNode(1000)
        node.next = node
        #expect(heldBytes(node) == 1004)
        #expect(heldBytes([node, node]) == 1004)
        let bytes = [UInt8](repeating: 1, count: 1000)
        #expect(heldBytes([bytes, bytes]) == 1000)
        #expect(heldBytes([bytes, bytes + [2]]) == 2001)
    }
}
