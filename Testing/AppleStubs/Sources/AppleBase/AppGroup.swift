public import Foundation

// Parts of Foundation that only Apple's systems have.
extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { stub() }
}
