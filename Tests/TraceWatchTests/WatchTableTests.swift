import SystemPackage
import TestSupport
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
        var table = table("/r", "/r/a")
        let found = table.descriptor(ofIdentity: identity(2))
        #expect(found == 2)
        #expect(table[2]?.path == "/r/a")
        #expect(table.descriptor(ofPath: "/r/a") == 2)
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
        let found = table.descriptor(ofIdentity: identity(3))
        #expect(found == 3)
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
        let found = table.descriptor(ofIdentity: identity(2))
        #expect(found == 3)
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

    @Test(arguments: [1, 2, 3, 4])
    func `after random changes, subtrees and identities are those of a plain model`(_ number: Int) throws {
        var dice = Torture.dice("watch table \(number)")
        var table = WatchTable()
        var model = ModelTable()
        let paths = ModelTable.paths
        for step in 1...1200 {
            let descriptor = Int32(step)
            switch Int.random(in: 0..<10, using: &dice) {
            case 0..<6:
                let path = paths[Int.random(in: 0..<paths.count, using: &dice)]
                let file = identity(.random(in: 1...40, using: &dice))
                guard table.descriptor(ofPath: path) == nil, !model.isAttached(file) else { continue }
                table.attach(descriptor, path: path, identity: file)
                model.attach(descriptor, path: path, identity: file)
            case 6:
                guard let top = model.attached.keys.sorted().randomElement(using: &dice) else { continue }
                let detached = table.detachSubtree(top)
                #expect(detached.first == top)
                #expect(detached.count == Set(detached).count)
                #expect(Set(detached) == model.detachSubtree(top))
            case 7:
                guard let any = model.all.sorted().randomElement(using: &dice) else { continue }
                // The kernel ends the watches of a directory in the order in which they were set.
                let one = model.first(ofSameDirectoryAs: any)
                let wasHeld = table.remove(one)
                #expect(wasHeld)
                model.remove(one)
            default:
                guard let one = model.attached.keys.sorted().randomElement(using: &dice) else { continue }
                table.joinParent(one)
                model.joinParent(one)
            }
            #expect(table.count == model.attached.count)
            for one in model.attached.keys {
                try #require(
                    table[one]?.hasChildren == model.parents.values.contains(one), "\(one), step \(step)")
            }
            // The table learns identities when it is asked for the first time: at once, or with many watches in it.
            guard number == 4 || step > number * 300, step.isMultiple(of: 8) else { continue }
            for inode in 1...40 {
                let found = table.descriptor(ofIdentity: identity(UInt64(inode)))
                try #require(found == model.descriptor(ofIdentity: identity(UInt64(inode))), "step \(step)")
            }
        }
    }
}

/// What ``WatchTable`` keeps, as one would write it without a thought of memory or time.
private struct ModelTable {
    /// A small tree, so that most have relatives.
    static let paths: [FilePath] =
        ["/r"] + (0..<4).map { FilePath("/r/\($0)") }
        + (0..<4).flatMap { parent in (0..<4).map { FilePath("/r/\(parent)/\($0)") } }

    private(set) var attached: [Int32: (path: FilePath, identity: FileID)] = [:]
    private(set) var parents: [Int32: Int32] = [:]
    private var loose: [Int32: FileID] = [:]
    private var latest: [FileID: Int32] = [:]

    var all: [Int32] { Array(attached.keys) + Array(loose.keys) }

    func first(ofSameDirectoryAs descriptor: Int32) -> Int32 {
        func identity(_ one: Int32) -> FileID? { attached[one]?.identity ?? loose[one] }
        return all.filter { identity($0) == identity(descriptor) }.min() ?? descriptor
    }

    func isAttached(_ identity: FileID) -> Bool { attached.values.contains { $0.identity == identity } }

    func descriptor(ofIdentity identity: FileID) -> Int32? { latest[identity] }

    mutating func attach(_ descriptor: Int32, path: FilePath, identity: FileID) {
        attached[descriptor] = (path, identity)
        latest[identity] = descriptor
        joinParent(descriptor)
    }

    mutating func joinParent(_ descriptor: Int32) {
        guard parents[descriptor] == nil, let path = attached[descriptor]?.path else { return }
        parents[descriptor] = attached.first { $0.value.path == path.removingLastComponent() }?.key
    }

    mutating func detachSubtree(_ top: Int32) -> Set<Int32> {
        var detached: Set = [top]
        while true {
            let more = parents.filter { detached.contains($0.value) }.keys.filter { !detached.contains($0) }
            if more.isEmpty { break }
            detached.formUnion(more)
        }
        for descriptor in detached {
            loose[descriptor] = attached.removeValue(forKey: descriptor)?.identity
            parents[descriptor] = nil
        }
        return detached
    }

    mutating func remove(_ descriptor: Int32) {
        let identity =
            attached.removeValue(forKey: descriptor)?.identity ?? loose.removeValue(forKey: descriptor)
        parents[descriptor] = nil
        parents = parents.filter { $0.value != descriptor }
        if let identity, latest[identity] == descriptor { latest[identity] = nil }
    }
}
