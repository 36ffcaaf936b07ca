/// Statistics that tell what was thrown away, by name: a driver adds what was thrown away before its engine.
package protocol DropReporting {
    var drops: [String: Int] { get set }
}
