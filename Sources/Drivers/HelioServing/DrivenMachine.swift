package import HelioRemote

/// The machine that a host's viewers drive. Methods are called on the control port's thread, one at a time, and may
/// block.
package protocol DrivenMachine: Sendable {
    /// Injects the input of one message of a viewer.
    func inject(_ inputs: [InjectedInput])
    /// Switches the capture to the monitor that a viewer has selected. A monitor that no longer exists is ignored, as
    /// the viewer is about to be sent the new list.
    func selectMonitor(_ id: String)
}
