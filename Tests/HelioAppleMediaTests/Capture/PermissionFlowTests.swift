import HelioAppleMedia
import HelioCore
import Testing

@Suite("Permissions")
struct PermissionFlowTests {
    final class Settings: PermissionAsking {
        var granted: Set<PermissionKind> = []
        var asked: [PermissionKind] = []
        func isGranted(_ kind: PermissionKind) -> Bool { granted.contains(kind) }
        func ask(for kind: PermissionKind) { asked.append(kind) }
    }

    @Test("the person is asked once, told what to do, and heard later", arguments: PermissionKind.allCases)
    func flow(kind: PermissionKind) {
        let settings = Settings()
        var flow = PermissionFlow(kind)
        #expect(flow.look(settings, now: .zero) == .asked)
        #expect(flow.deadline == Instant.zero + PermissionFlow.interval)
        #expect(flow.refusal?.message.contains("Privacy & Security") == true)
        #expect(flow.look(settings, now: .zero + .seconds(1)) == nil)
        #expect(settings.asked == [kind])
        settings.granted = [kind]
        #expect(flow.look(settings, now: .zero + .seconds(2)) == .granted)
        #expect(flow.refusal == nil)
        #expect(flow.deadline == nil)
        settings.granted = []
        #expect(flow.look(settings, now: .zero + .seconds(3)) == .revoked)
        #expect(throws: HelioError.self) { try flow.need(settings, now: .zero + .seconds(4)) }
        #expect(settings.asked.count <= 2)
    }

    @Test("nobody is asked for what is there")
    func granted() throws {
        let settings = Settings()
        settings.granted = [.accessibility]
        var flow = PermissionFlow(.accessibility)
        try flow.need(settings, now: .zero)
        #expect(settings.asked.isEmpty)
    }
}
