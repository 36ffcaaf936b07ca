package import HelioAppleMedia

/// The encoder of Apple's systems: sessions of VideoToolbox, with the policy of `SessionEncoder`.
package typealias AppleEncoder = SessionEncoder<AppleCompressionSessions>
