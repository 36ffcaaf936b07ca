import HelioCore
import Testing

@testable import HelioLinuxSink

@Suite struct PictureMailboxTests {
    private static let size = PixelSize(width: 64, height: 64)
    private static let left = PixelRect(x: 0, y: 0, width: 16, height: 16)
    private static let right = PixelRect(x: 48, y: 48, width: 16, height: 16)

    @Test func theNewestWinsAndInheritsDamage() throws {
        let mailbox = PictureMailbox()
        #expect(mailbox.take() == nil)
        mailbox.put(try TestPicture.noise(Self.size, seed: 1, damage: Region(Self.left)))
        let newest = try TestPicture.noise(Self.size, seed: 2, damage: Region(Self.right))
        mailbox.put(newest)
        let item = try #require(mailbox.take())
        #expect(item.picture === newest)
        #expect(Set(item.damage?.rects ?? []) == [Self.left, Self.right])
        #expect(mailbox.take() == nil)
        #expect(mailbox.replaced == 1)
    }

    @Test func unknownDamageStaysUnknown() throws {
        let mailbox = PictureMailbox()
        mailbox.put(try TestPicture.noise(Self.size, seed: 1))
        mailbox.put(try TestPicture.noise(Self.size, seed: 2, damage: Region(Self.right)))
        #expect(try #require(mailbox.take()).damage == nil)
        mailbox.put(try TestPicture.noise(PixelSize(width: 32, height: 32), seed: 1, damage: Region(Self.left)))
        mailbox.put(try TestPicture.noise(Self.size, seed: 2, damage: Region(Self.right)))
        #expect(try #require(mailbox.take()).damage == nil)
        mailbox.put(try TestPicture.noise(Self.size, seed: 2, damage: Region(Self.right)))
        #expect(try #require(mailbox.take()).damage == Region(Self.right))
    }
}
