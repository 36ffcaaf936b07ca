public import Foundation

// What Foundation has on Apple's systems alone.
extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { stub() }
}
