/// The calls of the Keychain: the shim over `SecItem`. Each item is a blob under a service's name and an account.
package protocol KeychainAccess: Sendable {
    /// Returns the item's data and an `OSStatus` of SecBase.h.
    func copy(service: String, account: String) -> (status: Int32, data: [UInt8]?)
    func add(_ data: [UInt8], service: String, account: String) -> Int32
    func update(_ data: [UInt8], service: String, account: String) -> Int32
}
