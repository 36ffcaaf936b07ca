/// The Keychain operations that are used, a thin interface to `SecItem`. An item is a blob, identified by a service
/// name and an account.
package protocol KeychainAccess: Sendable {
    /// Returns the item's data and the `OSStatus` (SecBase.h) of the call.
    func copy(service: String, account: String) -> (status: Int32, data: [UInt8]?)
    func add(_ data: [UInt8], service: String, account: String) -> Int32
    func update(_ data: [UInt8], service: String, account: String) -> Int32
}
