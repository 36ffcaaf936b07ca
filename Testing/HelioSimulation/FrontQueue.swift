/// A queue on an array: what comes in first goes out first.
struct FrontQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    /// The place of the first one; before it lies what has gone out already.
    private var head = 0

    init() {}

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var first: Element? { isEmpty ? nil : elements[head] }

    /// The element that comes out after `offset` others.
    subscript(offset: Int) -> Element {
        get { elements[head + offset] }
        set { elements[head + offset] = newValue }
    }

    mutating func append(_ element: Element) { elements.append(element) }

    @discardableResult
    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        head += 1
        // Moved seldom, and then by as many places as were read at least: constant cost on average.
        if head == elements.count {
            removeAll()
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        head = 0
    }
}
