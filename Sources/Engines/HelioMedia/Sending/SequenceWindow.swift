internal import DequeModule
import HelioCore

/// A queue of elements with consecutive numbers that can be looked up by number, in amortised constant time.
struct SequenceWindow<Element> {
    /// The number of the oldest element; while the window is empty, of the element that is appended next.
    package private(set) var first: UInt64
    private var elements = Deque<Element>()

    init(first: UInt64 = 0) { self.first = first }

    package var count: Int { elements.count }
    package var isEmpty: Bool { elements.isEmpty }
    /// The number of the next element to be appended.
    package var end: UInt64 { first + UInt64(count) }

    package subscript(number: UInt64) -> Element? {
        get { contains(number) ? elements[place(of: number)] : nil }
        set { if let newValue, contains(number) { elements[place(of: number)] = newValue } }
    }

    package func contains(_ number: UInt64) -> Bool { number >= first && number < end }

    package mutating func append(_ element: Element) { elements.append(element) }

    package mutating func removeFirst() {
        if elements.popFirst() != nil { first += 1 }
    }

    /// Empties the window, and restarts it at another number.
    package mutating func restart(at number: UInt64) {
        elements.removeAll(keepingCapacity: true)
        first = number
    }

    private func place(of number: UInt64) -> Int { Int(number - first) }
}

extension SequenceWindow: Sendable where Element: Sendable {}
