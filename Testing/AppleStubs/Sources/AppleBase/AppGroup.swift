public import Foundation

// The parts of Foundation that exist on Apple's systems only.
extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { stub() }
}
