import SwiftOperators
import SwiftParser
package import SwiftSyntax

/// Finds the sites in a source file, in the order of the text.
package final class SiteFinder: SyntaxVisitor {
    private var sites: [MutantSite] = []
    private var functions: [(name: String, lines: ClosedRange<Int>)] = []
    private let locations: SourceLocationConverter

    /// Calls that make something durable; a statement that is one of them can be left out.
    private static let syncs: Set<String> = ["sync", "syncData", "makeDurable"]
    /// System calls that do, and return zero.
    private static let systemSyncs: Set<String> = ["fsync", "fdatasync", "syncfs"]
    private static let comparisons = ["<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="]

    package static func sites(in source: String) -> [MutantSite] {
        let tree = Parser.parse(source: source)
        // An operator that is not known leaves its expression as it was parsed, without sites.
        let folded = OperatorTable.standardOperators.foldAll(tree) { _ in }
        let finder = SiteFinder(SourceLocationConverter(fileName: "", tree: folded))
        finder.walk(folded)
        return finder.sites.sorted {
            ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
        }
    }

    private init(_ locations: SourceLocationConverter) {
        self.locations = locations
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: - Conditions

    package override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
        let leaves = node.elseBody == nil && node.body.statements.last.map { Self.leaves($0) } == true
        for condition in node.conditions {
            switch condition.condition {
            case .expression(let expression):
                if leaves {
                    add(.check, expression, "MutantSwitch.fail(#, (", "))", "false")
                }
                negate(expression)
            default: unmatch(condition)
            }
        }
        return .visitChildren
    }

    package override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
        for condition in node.conditions {
            switch condition.condition {
            case .expression(let expression):
                add(.check, expression, "MutantSwitch.pass(#, (", "))", "true")
            default: unmatch(condition)
            }
        }
        return .visitChildren
    }

    package override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind {
        for condition in node.conditions {
            if case .expression(let expression) = condition.condition,
                !expression.is(BooleanLiteralExprSyntax.self)
            {
                add(.check, expression, "MutantSwitch.fail(#, (", "))", "false")
            }
        }
        return .visitChildren
    }

    package override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    /// Conditions of the compiler are not the program's.
    package override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        if let elements = node.elements { walk(elements) }
        return .skipChildren
    }

    /// Turns a condition round, unless it is changed as a comparison or by its operands anyway.
    private func negate(_ expression: ExprSyntax) {
        let bare = Self.bare(expression)
        if let operation = bare.as(InfixOperatorExprSyntax.self), let name = Self.name(of: operation),
            Self.comparisons[name] != nil || name == "&&" || name == "||"
        {
            return
        }
        if let negation = bare.as(PrefixOperatorExprSyntax.self), negation.operator.text == "!" {
            add(.negation, expression, "MutantSwitch.turn(#, (", "))", text(of: negation.expression))
        } else {
            add(.negation, expression, "MutantSwitch.turn(#, (", "))", "!(\(text(of: expression)))")
        }
    }

    private func unmatch(_ condition: ConditionElementSyntax) {
        switch condition.condition {
        case .optionalBinding, .matchingPattern:
            add(.binding, condition.condition, "!MutantSwitch.isOn(#), ", "", "no match")
        default: break
        }
    }

    // MARK: - Operators

    package override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let name = Self.name(of: node) else { return .visitChildren }
        let left = text(of: node.leftOperand)
        let right = text(of: node.rightOperand)
        switch name {
        case "==", "!=":
            add(
                .comparison, node, "MutantSwitch.turn(#, (", "))",
                "\(left) \(Self.comparisons[name] ?? "") \(right)")
        case "<", "<=", ">", ">=":
            guard let other = Self.comparisons[name], !node.trimmedDescription.contains(where: \.isNewline)
            else { break }
            let mutated =
                "\(node.leftOperand.trimmedDescription) \(other) \(node.rightOperand.trimmedDescription)"
            add(
                .comparison, node, "(MutantSwitch.isOn(#) ? (\(mutated)) : (", "))",
                "\(left) \(other) \(right)")
        case "&&":
            add(.operand, node.leftOperand, "(MutantSwitch.isOn(#) || (", "))", right, of: node)
            add(.operand, node.rightOperand, "(MutantSwitch.isOn(#) || (", "))", left, of: node)
        case "||":
            add(.operand, node.leftOperand, "(!MutantSwitch.isOn(#) && (", "))", right, of: node)
            add(.operand, node.rightOperand, "(!MutantSwitch.isOn(#) && (", "))", left, of: node)
        default: break
        }
        return .visitChildren
    }

    private static func name(of node: InfixOperatorExprSyntax) -> String? {
        node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text
    }

    // MARK: - Statements

    package override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        if case .expr(let expression) = node.item {
            let call = Self.bare(expression).as(FunctionCallExprSyntax.self)
            if let call, let name = Self.name(ofCallee: call), Self.syncs.contains(name) {
                add(.sync, node.item, "if !MutantSwitch.isOn(#) { ", " }", "not called")
            }
        } else if let statement = node.item.as(ThrowStmtSyntax.self), Self.mayPass(node) {
            add(.throw, statement, "if !MutantSwitch.isOn(#) { ", " }", "not thrown")
        }
        return .visitChildren
    }

    package override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if let name = Self.name(ofCallee: node), Self.systemSyncs.contains(name) {
            add(.sync, node, "(MutantSwitch.isOn(#) ? 0 : ", ")", "0")
        }
        return .visitChildren
    }

    private static func name(ofCallee call: FunctionCallExprSyntax) -> String? {
        call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
    }

    /// The expression without `try` and parentheses.
    private static func bare(_ expression: ExprSyntax) -> ExprSyntax {
        if let attempt = expression.as(TryExprSyntax.self) { return bare(attempt.expression) }
        if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1,
            let only = tuple.elements.first
        {
            return bare(only.expression)
        }
        return expression
    }

    private static func leaves(_ item: CodeBlockItemSyntax) -> Bool {
        item.item.is(ReturnStmtSyntax.self) || item.item.is(ThrowStmtSyntax.self)
            || item.item.is(ContinueStmtSyntax.self) || item.item.is(BreakStmtSyntax.self)
    }

    /// Whether control may go on behind a `throw`: it ends the body of an `if` without `else`, or of a `catch`, and
    /// something follows. Where an `if` only throws, its condition is changed instead.
    private static func mayPass(_ item: CodeBlockItemSyntax) -> Bool {
        guard let block = item.parent?.parent?.as(CodeBlockSyntax.self) else { return false }
        var outer = block.parent
        if let branch = outer?.as(IfExprSyntax.self) {
            guard branch.elseBody == nil, branch.body.id == block.id, block.statements.count > 1 else {
                return false
            }
        } else if outer?.is(CatchClauseSyntax.self) == true {
            outer = outer?.parent?.parent
        } else {
            return false
        }
        while let node = outer, !node.is(CodeBlockItemSyntax.self) { outer = node.parent }
        guard let whole = outer, let list = whole.parent?.as(CodeBlockItemListSyntax.self) else {
            return false
        }
        return list.last?.id != whole.id
    }

    // MARK: - Functions

    package override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.name.text, node)
    }
    package override func visitPost(_ node: FunctionDeclSyntax) { functions.removeLast() }
    package override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("init", node)
    }
    package override func visitPost(_ node: InitializerDeclSyntax) { functions.removeLast() }
    package override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("deinit", node)
    }
    package override func visitPost(_ node: DeinitializerDeclSyntax) { functions.removeLast() }
    package override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("subscript", node)
    }
    package override func visitPost(_ node: SubscriptDeclSyntax) { functions.removeLast() }
    package override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        // A property, and not a variable of a function.
        if node.accessorBlock != nil { return enter(text(of: node.pattern), node) }
        return .visitChildren
    }
    package override func visitPost(_ node: PatternBindingSyntax) {
        if node.accessorBlock != nil { functions.removeLast() }
    }

    private func enter(_ name: String, _ node: some SyntaxProtocol) -> SyntaxVisitorContinueKind {
        functions.append((name, lines(of: node)))
        return .visitChildren
    }

    // MARK: - Adding

    private func add(
        _ change: MutantSite.Change, _ node: some SyntaxProtocol, _ prefix: String, _ suffix: String,
        _ mutated: String, of whole: (any SyntaxProtocol)? = nil
    ) {
        let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
        let end = node.endPositionBeforeTrailingTrivia.utf8Offset
        let lines = lines(of: node)
        sites.append(
            MutantSite(
                change: change, range: start..<end, prefix: prefix, suffix: suffix, lines: lines,
                function: functions.last?.name ?? "", functionLines: functions.last?.lines ?? lines,
                original: whole.map { text(of: $0) } ?? text(of: node), mutated: mutated))
    }

    private func lines(of node: some SyntaxProtocol) -> ClosedRange<Int> {
        let first = locations.location(for: node.positionAfterSkippingLeadingTrivia).line
        return first...max(first, locations.location(for: node.endPositionBeforeTrailingTrivia).line)
    }

    /// The text on one line.
    private func text(of node: some SyntaxProtocol) -> String {
        node.trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
