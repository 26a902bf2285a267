import RecordFormat
import StoreHarness
import SystemPackage
import Testing

@testable import TraceAccess

struct AccessScopeTests {
    @Test func `read, mark and admin contain each other, feed and waterline nothing`() {
        let allowed: [AccessScope: Set<AccessScope>] = [
            .read: [.read], .mark: [.read, .mark], .admin: [.read, .mark, .admin], .feed: [.feed],
            .waterline: [.waterline],
        ]
        for scope in AccessScope.allCases {
            for needed in AccessScope.allCases {
                #expect(
                    scope.allows(needed) == allowed[scope]?.contains(needed), "\(scope) allows \(needed)")
            }
        }
    }

    @Test(arguments: [
        ("/srv/live", true), ("/srv/live/set", true), ("/srv/live/a/b", true), ("/srv/livestock/set", false),
        ("/srv", false), ("/", false), ("/srv/other/set", false),
    ])
    func `a directory shows what is below it`(path: String, isSeen: Bool) {
        let filter = AccessFilter(roots: ["/srv/live"])
        #expect(filter.shows(number(1), at: FilePath(path)) == isSeen)
        #expect(filter.shows(nil, at: FilePath(path)) == isSeen)
    }

    @Test func `an id shows its session wherever it is, and no other`() {
        let filter = AccessFilter(sessions: [number(1)])
        #expect(filter.shows(number(1), at: "/anywhere"))
        #expect(!filter.shows(number(2), at: "/anywhere"))
        #expect(!filter.shows(nil, at: "/anywhere"))
        let both = AccessFilter(sessions: [number(1)], roots: ["/srv/live"])
        #expect(both.shows(number(1), at: "/elsewhere") && both.shows(number(2), at: "/srv/live/set"))
    }

    @Test func `a filter that names nothing shows nothing`() {
        #expect(!AccessFilter().shows(number(1), at: "/srv"))
    }
}
