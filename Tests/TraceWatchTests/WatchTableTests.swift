import SystemPackage
import Testing
import TraceFiles

@testable import TraceWatch

@Suite struct WatchTableTests {
    private func identity(_ inode: UInt64) -> FileID { FileID(device: 1, inode: inode) }

    private func table(_ paths: String...) -> WatchTable {
        var table = WatchTable()
        for (number, path) in paths.enumerated() {
            table.attach(Int32(number + 1), path: FilePath(path), identity: identity(UInt64(number + 1)))
        }
        return table
    }

    @Test func `a watch is found by descriptor, path and identity`() {
        let table = table("/r", "/r/a")
        #expect(table[2]?.path == "/r/a")
        #expect(table.descriptor(ofPath: "/r/a") == 2)
        #expect(table.descriptor(ofIdentity: identity(2)) == 2)
        #expect(table.descriptor(ofPath: "/r/b") == nil)
        #expect(table[1]?.hasChildren == true)
        #expect(table[2]?.hasChildren == false)
    }

    @Test func `a subtree is detached with all below it and nothing beside it`() {
        var table = table("/r", "/r/a", "/r/a/b", "/r/a/b/c", "/r/ab", "/r/a/d")
        let detached = table.detachSubtree(2)
        #expect(detached.first == 2)
        #expect(Set(detached) == [2, 3, 4, 6])
        #expect(table.count == 2)
        #expect(table.descriptor(ofPath: "/r/ab") == 5)
        #expect(table.descriptor(ofPath: "/r/a/b") == nil)
        #expect(table.isLoose(3))
        #expect(table.descriptor(ofIdentity: identity(3)) == 3)
        #expect(table[1]?.hasChildren == true)
        let again = table.detachSubtree(2)
        #expect(again.isEmpty)
    }

    @Test func `a path can be attached again while its old watch is loose`() {
        var table = table("/r", "/r/a")
        _ = table.detachSubtree(2)
        table.attach(3, path: "/r/a", identity: identity(2))
        let ended2 = table.remove(2)
        #expect(ended2)
        #expect(table.descriptor(ofPath: "/r/a") == 3)
        #expect(table.descriptor(ofIdentity: identity(2)) == 3)
        #expect(!table.isLoose(2))
    }

    @Test func `the end of a watch tells whether the library holds a record of it`() {
        var table = table("/r", "/r/a", "/r/b")
        _ = table.detachSubtree(2)
        table.markFreed(2)
        let ended2 = table.remove(2)
        #expect(!ended2)
        let ended3 = table.remove(3)
        #expect(ended3)
        let again = table.remove(3)
        #expect(!again)
        table.addLoose(9)
        #expect(table.isLoose(9))
        let ended9 = table.remove(9)
        #expect(ended9)
        #expect(table.count == 1)
    }

    @Test func `a directory that is watched before the one above it joins its subtree`() {
        var table = table("/r/a/b", "/r", "/r/a")
        let detached2 = Set(table.detachSubtree(2))
        #expect(detached2 == [2, 3])
        table.attach(4, path: "/r", identity: identity(4))
        table.attach(5, path: "/r/a", identity: identity(5))
        table.joinParent(1)
        let detached4 = Set(table.detachSubtree(4))
        #expect(detached4 == [4, 5, 1])
    }

    @Test func `removing a parent leaves what is below it attached`() {
        var table = table("/r", "/r/a", "/r/a/b")
        let ended2 = table.remove(2)
        #expect(ended2)
        #expect(table[3]?.path == "/r/a/b")
        let detached1 = Set(table.detachSubtree(1))
        #expect(detached1 == [1])
        let detached3 = Set(table.detachSubtree(3))
        #expect(detached3 == [3])
    }

    @Test func `a large table is detached whole`() {
        var table = WatchTable()
        table.attach(1, path: "/r", identity: identity(1))
        for number in 2...10_000 {
            let parent = FilePath("/r\(number < 300 ? "" : "/d\(number % 298 + 2)")")
            table.attach(
                Int32(number), path: parent.appending("d\(number)"), identity: identity(UInt64(number)))
        }
        let all = table.detachSubtree(1)
        #expect(all.count == 10_000)
        #expect(table.count == 0)
    }
}
