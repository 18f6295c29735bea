import ts from "typescript";

const TEXT = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.Any | ts.TypeFlags.Unknown;

/**
 * Text that can change or vanish has to be the only child of its element, and no text may stand beside what can appear
 * or vanish. Translators put elements in the place of text nodes. If a text is the only child, React replaces everything
 * in the element. React keeps other text nodes, which then are no longer in the document.
 */
/** @type {import("eslint").Rule.RuleModule} */
export default {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      changing: "This text can change or vanish: give it an element of its own, or join it with the text beside it.",
      beside: "Beside this text something can appear or vanish: give the text an element of its own.",
      fragment: "A fragment is no element: this text can only be replaced inside an element of its own.",
      list: "A list of texts: give each an element, or join them.",
    },
  },
  create(context) {
    const { program, getTypeAtLocation } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();

    function isText(type) {
      return type.isUnion() ? type.types.some(isText) : (type.flags & TEXT) !== 0;
    }

    function hasTexts(type) {
      if (type.isUnion()) return type.types.some(hasTexts);
      return (checker.isArrayType(type) || checker.isTupleType(type)) && checker.getTypeArguments(type).some(isText);
    }

    /** What React makes of a child: nothing, an `element`, a `text`, or what is only known when it is rendered. */
    function childOf(node) {
      if (node.type === "JSXText") return /^\s*\n\s*$/.test(node.value) ? [] : [{ node, is: "text" }];
      if (node.type === "JSXElement") return [{ node, is: "element" }];
      if (node.type !== "JSXExpressionContainer") return [{ node, is: "other" }];
      const { expression } = node;
      if (expression.type === "JSXEmptyExpression") return [];
      if (expression.type === "Literal" || isFixedText(expression)) return [{ node, is: "text" }];
      const type = getTypeAtLocation(expression);
      return [{ node, is: hasTexts(type) ? "list" : isText(type) ? "changing" : "other" }];
    }

    /** A text of the interface without values, which stays the same for as long as the page is open. */
    function isFixedText({ type, callee, arguments: given }) {
      return type === "CallExpression" && callee.name === "text" && given.length === 1 && given[0].type === "MemberExpression" && given[0].object.name === "Key";
    }

    function check({ type, children }) {
      const all = children.flatMap(childOf);
      const others = all.some(({ is }) => is !== "text" && is !== "element");
      for (const { node, is } of all) {
        if (is === "list") context.report({ node, messageId: "list" });
        else if (type === "JSXFragment" && (is === "text" || is === "changing")) context.report({ node, messageId: "fragment" });
        else if (all.length > 1 && is === "changing") context.report({ node, messageId: "changing" });
        else if (is === "text" && others) context.report({ node, messageId: "beside" });
      }
    }

    return { JSXElement: check, JSXFragment: check };
  },
};
