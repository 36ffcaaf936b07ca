import Foundation

/// The behaviour of a NAT, as coturn's program for it finds it out (RFC 5780 section 4).
package struct NATBehaviour: Hashable, Sendable {
    /// The dependence of a mapping, or of its filter, on the other end's address (RFC 4787 sections 4.1 and 5).
    package enum Dependence: String, Sendable {
        case none = "Endpoint Independent"
        case address = "Address Dependent"
        case addressAndPort = "Address and Port Dependent"
    }

    package var mapping: Dependence
    package var filtering: Dependence

    package init(mapping: Dependence, filtering: Dependence) {
        (self.mapping, self.filtering) = (mapping, filtering)
    }

    /// Finds out how the routers of both homes behave, both at a time; takes up to 7 s, as what is not let in has to be
    /// waited for. Needs a TURN server in the world.
    package static func probe(_ world: TwoHomes) throws -> [TwoHomes.Home: NATBehaviour] {
        let probes = try TwoHomes.Home.allCases.map { home in
            let program = try world.machine(home).start(
                "turnutils_natdiscovery",
                ["-m", "-f", "-L", world.address(home), "-p", "\(TwoHomes.turnPort)", TwoHomes.turn[0]])
            return (home, program)
        }
        return try Dictionary(
            uniqueKeysWithValues: probes.map { home, program in
                guard program.waitUntilExit() == 0, let mapping = dependence(program.text, of: "Mapping"),
                    let filtering = dependence(program.text, of: "Filtering")
                else { throw RunningProgram.Ended(description: program.text) }
                return (home, NATBehaviour(mapping: mapping, filtering: filtering))
            })
    }

    private static func dependence(_ text: String, of what: String) -> Dependence? {
        for line in text.split(separator: "\n") where line.hasPrefix("NAT with ") && line.hasSuffix(" \(what)!") {
            return Dependence(rawValue: String(line.dropFirst(9).dropLast(what.count + 2)))
        }
        return nil
    }
}

extension RouterKind {
    /// The behaviour that a probe has to find; `nil` where UDP does not get through.
    package var behaviour: NATBehaviour? {
        switch self {
        case .fullCone: NATBehaviour(mapping: .none, filtering: .none)
        case .restricted: NATBehaviour(mapping: .none, filtering: .address)
        case .portRestricted: NATBehaviour(mapping: .none, filtering: .addressAndPort)
        case .symmetric: NATBehaviour(mapping: .addressAndPort, filtering: .addressAndPort)
        case .noUDP, .only443, .portal, .proxy: nil
        }
    }
}
