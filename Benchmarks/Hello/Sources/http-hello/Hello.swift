import Hummingbird

/// What an answer costs that says nothing: `http-hello PORT` answers `hello` to `GET /` on the loopback address.
@main struct Hello {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) }
        guard let port else { fatalError("usage: http-hello PORT") }
        let router = Router()
        router.get("/") { _, _ in "hello" }
        let configuration = ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
        try await Application(router: router, configuration: configuration).runService()
    }
}
