/// The virtual key codes of macOS (`kVK_...` in its HIToolbox), which name keys by their place on an ANSI keyboard, and
/// the same keys as usages of the USB keyboard page.
package enum MacKeyCode {
    /// `nil` for a code that stands for no key of the keyboard page.
    package static func usage(of keyCode: UInt16) -> UInt16? { nil }

    /// `nil` where macOS has no code for the key. `usage(of:)` of what it gives is the same usage again.
    package static func keyCode(of usage: UInt16) -> UInt16? { nil }
}
