package import SystemPackage
package import TraceAccess
internal import TraceFormat
package import TraceStore

extension AccessScope {
    /// What a token of the scope may change in sessions by entries of the queue.
    package var rights: DelivererRights {
        allows(.admin) ? .all : allows(.mark) ? .own : .nothing
    }
}

extension Drain {
    /// Has entries that came over the network change what the tokens that brought them may change now.
    ///
    /// - Parameter state: Where the tokens are.
    package mutating func askTokens(in state: FilePath) {
        rights = { deliverer in
            let tokens = (try? AccessTokens(state: state).list().tokens) ?? []
            let token = tokens.first { $0.id == deliverer.token && !$0.isExpired(at: Clock.now()) }
            return token?.scope.rights ?? .nothing
        }
    }
}
