package import HelioCore

/// An injector that drops all input.
package final class DeafInjector: InputInjecting {
    package init() {}

    package func follow(_ monitor: ScreenMonitor) {}
    package func movePointer(toX x: Int, y: Int) {}
    package func movePointer(byX dx: Int, y dy: Int) {}
    package func button(_ button: PointerButton, isDown: Bool) {}
    package func scroll(dx: Int, dy: Int) {}
    package func key(usage: UInt16, isDown: Bool) {}
    package func type(_ text: String) {}
    package func flush() {}
}
