/// The use of sound devices by one output or capture, from its opening to its end. When the last one ends, a phone's
/// audio session is deactivated, so that what other apps played before goes on.
package final class SoundUse: Sendable {
    private let ended: @Sendable () -> Void

    package init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }

    deinit { ended() }
}
