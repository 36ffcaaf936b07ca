/// A queue on an array: amortised constant time at both ends. Inlinable for the reason that `OutputQueue` is.
package struct Fifo<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    @inlinable package init() {}

    @inlinable package var count: Int { elements.count - head }
    @inlinable package var isEmpty: Bool { count == 0 }
    @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

    /// The element so many places behind the first; there has to be one.
    @inlinable package subscript(place: Int) -> Element? {
        get { elements[head + place] }
        set { elements[head + place] = newValue }
    }

    @inlinable package mutating func append(_ element: Element) {
        elements.append(element)
    }

    @inlinable package mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer {
            elements[head] = nil
            head += 1
            if head == elements.count {
                elements.removeAll(keepingCapacity: true)
                head = 0
            } else if head > 64, head * 2 > elements.count {
                elements.removeFirst(head)
                head = 0
            }
        }
        return elements[head]
    }

    @inlinable package mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        head = 0
    }
}

extension Fifo: Sendable where Element: Sendable {}
