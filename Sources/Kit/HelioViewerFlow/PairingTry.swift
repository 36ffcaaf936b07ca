internal import HelioCore

/// A pairing in progress. It asks the user at most once, and calls `onEnd` at most once. Used on the main thread.
@MainActor
final class PairingTry {
    private let compare: (String) -> Void
    private let onEnd: (Result<String, HelioError>) -> Void
    private var task: Task<Void, Never>?
    private var question: CheckedContinuation<Bool, Never>?
    private var isOver = false

    /// Starts to pair.
    ///
    /// - Parameters:
    ///   - code: the code for pairing; `nil` lets the two users compare digits.
    ///   - compare: shows the digits; the user's answer is passed to ``answer(_:)``.
    ///   - onEnd: called with the host's name or an error, unless ``abandon()`` was called before.
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

    /// Forwards the user's answer to the pairing: true if both screens show the same digits.
    func answer(_ isSame: Bool) {
        question?.resume(returning: isSame)
        question = nil
    }

    /// Cancels the pairing; `onEnd` is no longer called.
    func abandon() {
        isOver = true
        answer(false)
        task?.cancel()
    }

    private func ask(_ digits: String) async -> Bool {
        guard !isOver, question == nil else { return false }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The host may have disconnected before the question is shown.
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
