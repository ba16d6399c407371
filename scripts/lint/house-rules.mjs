/**
 * Rules of this repository that no linter has; .oxlintrc.json says where each of them counts.
 */

/** A rule that reports whatever one of the selectors finds. */
const forbid = (message, ...selectors) => ({
  meta: { type: 'suggestion', messages: { found: message } },
  create: (context) => Object.fromEntries(selectors.map((selector) => [selector, (node) => context.report({ node, messageId: 'found' })])),
});

export default {
  meta: { name: 'house' },
  rules: {
    'no-hash-names': forbid('Write `private name`: one way to say it, and parameters can say it, too.', 'PrivateIdentifier'),
    // `...(x === undefined ? {} : { x })` and `...(x !== undefined && { x })`
    'no-spread-of-nothing': forbid(
      'Write `field: value`: absent is undefined, and JSON drops it. Where the key itself counts, disable this line and say why.',
      "SpreadElement > ConditionalExpression[test.right.type='Identifier'][test.right.name='undefined'] > ObjectExpression[properties.length=0]",
      "SpreadElement > LogicalExpression[operator='&&'][left.right.type='Identifier'][left.right.name='undefined']",
    ),
    'no-html': forbid(
      'Render elements: what a model or a workspace says is text, and nothing turns it into HTML.',
      "JSXAttribute[name.name='dangerouslySetInnerHTML']",
    ),
  },
};
