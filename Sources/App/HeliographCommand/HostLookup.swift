private import Dispatch
private import Foundation
internal import HelioViewing
private import Synchronization

/// Finds a host by the name that the user gave, and prints notes about the search on standard error.
enum HostLookup {
    /// Finds a host; `nil` if the text is an address or a link, or if no such host is announced.
    ///
    /// - Parameter prefersPaired: false for a search before pairing (`HostFinder.find`).
    static func host(called text: String, prefersPaired: Bool = true) async throws -> DiscoveredHost? {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if name.isEmpty || HostFinder.isAddress(name) { return nil }
        let answer = try await HostFinder.find(
            name, prefersPaired: prefersPaired, within: patience(name, prefersPaired))
        if let note = answer.note { tell(note) }
        if let host = answer.host { tell("Found '\(host.name)' at \(host.address).") }
        return answer.host
    }

    /// The longest time that the search takes: a host that is here answers at once, and one that is reached from any
    /// network need not be waited for.
    private static func patience(_ name: String, _ prefersPaired: Bool) -> Duration {
        guard prefersPaired, let known = try? DeviceBook().allHosts() else { return .seconds(3) }
        let isReached = known.contains { $0.rendezvous != nil && $0.name.lowercased() == name.lowercased() }
        return isReached ? .milliseconds(500) : .seconds(3)
    }

    /// Finds a host like `host(called:)`, but blocks the calling thread, for some seconds at most.
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
