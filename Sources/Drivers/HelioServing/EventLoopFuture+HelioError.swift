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
}
