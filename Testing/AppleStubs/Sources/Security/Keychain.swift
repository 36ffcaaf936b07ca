@_exported public import AppleBase

public var kSecAttrAccessGroup: CFString { stub() }
public var kSecAttrAccessible: CFString { stub() }
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { stub() }
public var kSecAttrAccount: CFString { stub() }
public var kSecAttrService: CFString { stub() }
public var kSecClass: CFString { stub() }
public var kSecClassGenericPassword: CFString { stub() }
public var kSecMatchLimit: CFString { stub() }
public var kSecMatchLimitOne: CFString { stub() }
public var kSecReturnData: CFString { stub() }
public var kSecUseDataProtectionKeychain: CFString { stub() }
public var kSecValueData: CFString { stub() }

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { stub() }
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    stub()
}
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { stub() }
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { stub() }
