internal import HelioCore
internal import NIOCore

extension EventLoopFuture where Value: Sendable {
    /// Waits for the value. Throws the future's error if it is a `HelioError`; otherwise the error that `describe`
    /// makes of it.
    func get(describe: @Sendable (any Error) -> HelioError) async throws(HelioError) -> Value {
        do {
            return try await get()
        } catch let error as HelioError {
            throw error
        } catch {
            throw describe(error)
        }
    }

    /// Waits for the value as `get(describe:)` does.
    ///
    /// - Parameter abandon: called on any thread if the waiting task is cancelled; makes the future fail soon.
    func get(
        onCancel abandon: @escaping @Sendable () -> Void, describe: @Sendable (any Error) -> HelioError
    ) async throws(HelioError) -> Value {
        do {
            return try await withTaskCancellationHandler {
                try await get()
            } onCancel: {
                abandon()
            }
        } catch let error as HelioError {
            throw error
        } catch {
            throw describe(error)
        }
    }
}
