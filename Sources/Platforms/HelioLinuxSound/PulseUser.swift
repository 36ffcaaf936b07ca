/// The user of a connection to the sound server. It is called on the connection's thread, with its lock held.
protocol PulseUser: AnyObject {
    /// Called when a connection was made. Everything made on an earlier one is gone.
    func connected()
    /// Called when the connection has broken: everything made on it is to be released.
    func disconnected()
    /// Called when the default device changed, or a device appeared or disappeared.
    func devicesChanged()
}
