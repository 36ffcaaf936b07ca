internal import HelioCore

/// A pairing that goes on: it asks the person for an answer once, and tells its end once. For the main thread.
@MainActor
final class PairingTry {
    private let compare: (String) -> Void
    private let onEnd: (Result<String, HelioError>) -> Void
    private var task: Task<Void, Never>?
    private var question: CheckedContinuation<Bool, Never>?
    private var isOver = false

    /// Begins.
    ///
    /// - Parameters:
    ///   - code: the code that pairs; `nil` lets people compare digits.
    ///   - compare: shows the digits; ``answer(_:)`` has what the person says.
    ///   - onEnd: gets the host's name. Not called after ``abandon()``.
    init(
        _ world: any ViewerWorld, _ host: OpenedHost, code: String?, name: String, compare: @escaping (String) -> Void,
        onEnd: @escaping (Result<String, HelioError>) -> Void
    ) {
        self.compare = compare
        self.onEnd = onEnd
        task = Task { [weak self] in
            let ask: @Sendable (String) async -> Bool = { [weak self] in await self?.ask($0) ?? false }
            let result: Result<String, HelioError>
            do throws(HelioError) {
                result = .success(try await world.pair(with: host, code: code, name: name, confirm: ask))
            } catch {
                result = .failure(error)
            }
            self?.end(result)
        }
    }

    /// Says whether both screens show the same digits.
    func answer(_ isSame: Bool) {
        question?.resume(returning: isSame)
        question = nil
    }

    /// Ends it without a result: nothing is told any more.
    func abandon() {
        isOver = true
        answer(false)
        task?.cancel()
    }

    private func ask(_ digits: String) async -> Bool {
        guard !isOver, question == nil else { return false }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The other end may have gone before the question was put.
                guard !Task.isCancelled else { return continuation.resume(returning: false) }
                question = continuation
                compare(digits)
            }
        } onCancel: {
            Task { @MainActor [weak self] in self?.answer(false) }
        }
    }

    private func end(_ result: Result<String, HelioError>) {
        guard !isOver else { return }
        isOver = true
        answer(false)
        onEnd(result)
    }
}
