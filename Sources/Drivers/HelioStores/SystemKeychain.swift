#if canImport(Security)
private import Foundation
private import Security

/// The Keychain of this device, by `SecItem`: items that are there after the first unlock, and go to no other device and
/// no backup. Type-checked, not run.
package struct SystemKeychain: KeychainAccess {
    /// The group by which an app and its extension see the same items; `nil`: the app's own.
    private let group: String?

    package init(group: String? = nil) { self.group = group }

    package func copy(service: String, account: String) -> (status: Int32, data: [UInt8]?) {
        let query = item(service, account)
        query[kSecMatchLimit] = kSecMatchLimitOne
        query[kSecReturnData] = NSNumber(value: true)
        var result: AnyObject?
        let status = SecItemCopyMatching(query, &result)
        return (status, (result as? Data).map { [UInt8]($0) })
    }

    package func add(_ data: [UInt8], service: String, account: String) -> Int32 {
        let attributes = item(service, account)
        attributes[kSecValueData] = NSData(data: Data(data))
        attributes[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        return SecItemAdd(attributes, nil)
    }

    package func update(_ data: [UInt8], service: String, account: String) -> Int32 {
        let change = NSMutableDictionary()
        change[kSecValueData] = NSData(data: Data(data))
        return SecItemUpdate(item(service, account), change)
    }

    private func item(_ service: String, _ account: String) -> NSMutableDictionary {
        let item = NSMutableDictionary()
        item[kSecClass] = kSecClassGenericPassword
        item[kSecAttrService] = NSString(string: service)
        item[kSecAttrAccount] = NSString(string: account)
        // On macOS the same kind of Keychain as on iOS, and not the file of old.
        item[kSecUseDataProtectionKeychain] = NSNumber(value: true)
        if let group { item[kSecAttrAccessGroup] = NSString(string: group) }
        return item
    }
}
#endif
