package import HelioCore

/// The injector of a system on which no app may send input to another: none can be made.
package final class NoInjector: InputInjecting {
    private init() {}

    /// Throws `unsupported`, with words for a person.
    package static func open() throws(HelioError) -> NoInjector {
        throw HelioError(
            .unsupported, "No app can give input to an iPhone or iPad: who watches this screen can only watch.")
    }

    package func follow(_: ScreenMonitor) {}
    package func movePointer(toX _: Int, y _: Int) {}
    package func movePointer(byX _: Int, y _: Int) {}
    package func button(_: PointerButton, isDown _: Bool) {}
    package func scroll(dx _: Int, dy _: Int) {}
    package func key(usage _: UInt16, isDown _: Bool) {}
    package func type(_: String) {}
    package func flush() {}
}
