internal import HelioCore
internal import NIOCore

extension EventLoopFuture where Value: Sendable {
    /// Waits for the value. Throws the future's error, or what `describe` makes of one that is no `HelioError`.
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
