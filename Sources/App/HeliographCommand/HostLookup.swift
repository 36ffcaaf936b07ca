private import Dispatch
private import Foundation
internal import Heliograph
private import Synchronization

/// Finds the host that the user named, and prints notes about it on standard error.
enum HostLookup {
    /// Finds a host; `nil` if the text is an address or a link, or if no such host is announced.
    ///
    /// - Parameter prefersPaired: see `HostFinder.find`.
    static func host(called text: String, prefersPaired: Bool = true) async throws -> DiscoveredHost? {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if name.isEmpty || HostFinder.isAddress(name) { return nil }
        let answer = try await HostFinder.find(name, prefersPaired: prefersPaired)
        if let note = answer.note { tell(note) }
        if let host = answer.host { tell("Found '\(host.name)' at \(host.address).") }
        return answer.host
    }

    /// Finds a host, and blocks the calling thread meanwhile, for some seconds at most.
    static func wait(forHostCalled text: String) throws -> DiscoveredHost? {
        let result = Mutex<Result<DiscoveredHost?, any Error>>(.success(nil))
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                let host = try await host(called: text)
                result.withLock { $0 = .success(host) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        return try result.withLock { $0 }.get()
    }

    private static func tell(_ text: String) { Output.warn(text) }
}
