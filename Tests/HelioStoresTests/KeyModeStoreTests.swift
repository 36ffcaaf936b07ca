import Foundation
import HelioCore
import Testing

@testable import HelioStores

@Suite struct KeyModeStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)").path

    @Test func theChoiceForAHostIsRemembered() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = KeyModeStore(in: KeyModeStore.file(in: folder))
        #expect(try store.mode(of: "a") == nil)
        try store.set(.place, of: "a")
        try store.set(.place, of: "b")
        try store.set(.character, of: "a")
        let again = KeyModeStore(in: KeyModeStore.file(in: folder))
        #expect(try again.mode(of: "a") == .character)
        #expect(try again.mode(of: "b") == .place)
        #expect(try again.mode(of: "c") == nil)
    }

    @Test func theHostOfLongestAgoIsForgotten() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = KeyModeStore(in: KeyModeStore.file(in: folder))
        for number in 0...KeyModeStore.limit { try store.set(.place, of: "host\(number)") }
        #expect(try store.mode(of: "host0") == nil)
        #expect(try store.mode(of: "host1") == .place)
        #expect(try store.mode(of: "host\(KeyModeStore.limit)") == .place)
    }
}
