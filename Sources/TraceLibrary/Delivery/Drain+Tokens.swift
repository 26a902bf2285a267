internal import TraceAccess
internal import TraceFormat
package import SystemPackage
package import TraceStore

extension Drain {
    /// Has entries that delete and restore sessions written only while the token that brought them has scope `admin`.
    ///
    /// - Parameter state: Where the tokens are.
    package mutating func askTokens(in state: FilePath) {
        mayAdminister = { deliverer in
            let tokens = (try? AccessTokens(state: state).list().tokens) ?? []
            return tokens.contains {
                $0.id == deliverer.token && !$0.isExpired(at: Clock.now()) && $0.scope.allows(.admin)
            }
        }
    }
}
