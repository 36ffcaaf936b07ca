#if canImport(Security)
private import Foundation
private import Security

/// The Keychain of this device, accessed by `SecItem`. Items are accessible after the first unlock, and are copied to
/// no other device and no backup. This file is only compiled, never executed by a test.
package struct SystemKeychain: KeychainAccess {
    package init() {}

    package func copy(service: String, account: String) -> (status: Int32, data: [UInt8]?) {
        let query =
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
                kSecUseDataProtectionKeychain: true, kSecMatchLimit: kSecMatchLimitOne, kSecReturnData: true,
            ] as CFDictionary
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query, &result)
        return (status, (result as? Data).map { [UInt8]($0) })
    }

    package func add(_ data: [UInt8], service: String, account: String) -> Int32 {
        let attributes =
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
                kSecUseDataProtectionKeychain: true, kSecValueData: Data(data),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ] as CFDictionary
        return SecItemAdd(attributes, nil)
    }

    package func update(_ data: [UInt8], service: String, account: String) -> Int32 {
        // `kSecUseDataProtectionKeychain` selects the data protection Keychain on macOS, as on iOS, instead of the
        // older file-based one.
        let query =
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
                kSecUseDataProtectionKeychain: true,
            ] as CFDictionary
        return SecItemUpdate(query, [kSecValueData: Data(data)] as CFDictionary)
    }
}
#endif
