/// Statistics with counts of drops by name, to which a driver adds the drops that precede its engine.
package protocol DropReporting {
    var drops: [String: Int] { get set }
}
