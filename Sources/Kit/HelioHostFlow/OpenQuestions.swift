private import Synchronization

/// The questions that wait for the user's answer, by the numbers that a flow knows them by.
final class OpenQuestions<ID: Hashable & Sendable>: Sendable {
    private struct State {
        var ids: [Int: ID] = [:]
        var next = 1
    }
    private let state = Mutex(State())

    /// Adds a question, and returns its number.
    func add(_ id: ID) -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            state.ids[state.next] = id
            return state.next
        }
    }

    /// Removes a question, and returns its number; `nil` if it was answered before.
    func remove(_ id: ID) -> Int? {
        state.withLock { state in
            guard let number = state.ids.first(where: { $0.value == id })?.key else { return nil }
            state.ids[number] = nil
            return number
        }
    }

    /// Removes the question with a number; `nil` if it was answered before.
    func remove(_ number: Int) -> ID? { state.withLock { $0.ids.removeValue(forKey: number) } }
}
