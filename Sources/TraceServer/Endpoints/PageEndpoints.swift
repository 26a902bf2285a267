internal import HTTPTypes
internal import TraceText

/// The web page: files that anyone may have, who then sees nothing without a token.
enum PageEndpoints {
    static let all = [index, file, folderFile]

    private static let index = Endpoint(
        method: .get, path: "//", id: "getPage", access: .anyone, summary: "The web page",
        takesAnyQuery: true, work: .asking
    ) { call in
        guard let answer = try call.context.host.page.page()?[Page.index] else {
            throw Problem(
                .notFound, "page-missing", "the web page is not installed on this server",
                cure:
                    "on the server, install 'share/trace/page' beside 'bin/traced'; the API works without it")
        }
        return answer
    }

    private static let file = Endpoint(
        method: .get, path: "//{file}", id: "getPageFile", access: .anyone,
        summary: "A file of the web page", takesAnyQuery: true, work: .asking
    ) { call in
        try answer(call, try call.text("file"))
    }

    private static let folderFile = Endpoint(
        method: .get, path: "//{folder}/{file}", id: "getPageFolderFile", access: .anyone,
        summary: "A file in a folder of the web page", takesAnyQuery: true, work: .asking
    ) { call in
        try answer(call, "\(call.text("folder"))/\(call.text("file"))")
    }

    private static func answer(_ call: Call, _ path: String) throws -> Response {
        guard let answer = try call.context.host.page.page()?[path] else { throw Problem.notFound }
        return answer
    }
}
