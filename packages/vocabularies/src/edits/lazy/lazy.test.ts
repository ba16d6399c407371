import { beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { applyLazyEdit } from './apply-lazy-edit.js';
import { loadGrammarFor } from '@codelab/grammars';

beforeAll(async () => {
  for (const path of ['a.js', 'a.ts', 'a.tsx', 'a.py', 'a.go', 'a.rs', 'a.java', 'a.cc']) await loadGrammarFor(path);
});

const edit = (path: string, text: string, changes: string): string => {
  const edited = applyLazyEdit({ path, text }, changes);
  return edited.ok ? edited.text : `UNCLEAR ${edited.line}: ${edited.why}`;
};

const A = 'export const PORT = 8080;\nexport function add(a: number, b: number) {\n  return a + b;\n}\n';
const TWO = 'class A {\n  init() {\n    return 1;\n  }\n\n  other() {}\n}\n\nclass B {\n  init() {\n    return 2;\n  }\n}\n';

describe('a lazy edit', () => {
  test('keeps what a placeholder stands for', () => {
    const changes = '// ... existing code ...\nexport function add(a: number, b: number, c = 0) {\n  return a + b + c;\n}';
    expect(edit('src/a.ts', A, changes)).toBe(
      'export const PORT = 8080;\nexport function add(a: number, b: number, c = 0) {\n  return a + b + c;\n}\n',
    );
  });

  test('is unclear where it fits two places', () => {
    const twice = 'function add() {\n  return 1;\n}\nfunction add() {\n  return 2;\n}\n';
    expect(edit('a.js', twice, '// ...\nfunction add() {\n  return 3;\n}')).toBe('UNCLEAR function add() {: it fits 2 places');
  });

  test(verifies('L3:case-21', 'of two equal anchors the one in the class that is named'), () => {
    const named = 'class A {\n  init() {\n    return 7;\n  }\n  // ... rest of the methods ...\n}\n// ... existing code ...';
    expect(edit('a.ts', TWO, named)).toBe(TWO.replace('return 1', 'return 7'));
    expect(edit('a.ts', TWO, 'init() {\n  return 7;\n}')).toBe('UNCLEAR init() {: it fits 2 places');
  });

  test(verifies('L3:case-22', 'a placeholder at the start or the end may stand for nothing'), () => {
    const changes = '// ... existing code ...\nexport const PORT = 9090;\n// ... existing code ...';
    expect(edit('a.ts', A, changes)).toBe(A.replace('8080', '9090'));
    const end = '// ... existing code ...\nexport function add(a: number, b: number) {\n  return b + a;\n}\n// ...';
    expect(edit('a.ts', A, end)).toBe(A.replace('a + b', 'b + a'));
  });

  test(verifies('L3:case-23', 'a definition is never deleted by leaving it out, a statement of a rewritten function is'), () => {
    const text = 'function one() {\n  a();\n  b();\n}\n\nfunction two() {}\n\nfunction three() {}\n';
    expect(edit('a.js', text, 'function one() {\n  a();\n}\n\nfunction three() {}\n// ...')).toContain('two of the file is left out');
    expect(edit('a.js', text, 'function one() {\n  a();\n}\n// ... rest of code')).toBe(text.replace('  b();\n', ''));
  });

  test(verifies('L3:case-24', 'code, a string, an element and prose'), () => {
    const py = 'def f(x):\n    return x\n\n\ndef g():\n    return 1\n';
    expect(edit('a.py', py, '# ... existing code ...\ndef g():\n    ...')).toBe('def f(x):\n    return x\n\n\ndef g():\n    ...\n');
    const js = 'const s = 1;\nfunction f() {\n  return s;\n}\n';
    expect(edit('a.js', js, '// ...\nfunction f() {\n  return "// ... existing code ...";\n}')).toContain('"// ... existing code ..."');
    const tsx = 'export function App() {\n  return (\n    <div>\n      <A />\n      <B />\n      <C />\n    </div>\n  );\n}\n';
    const lazy =
      'export function App() {\n  return (\n    <div>\n      {/* ... rest ... */}\n      <C />\n      <D />\n    </div>\n  );\n}\n';
    expect(edit('a.tsx', tsx, lazy)).toBe(tsx.replace('<C />\n', '<C />\n      <D />\n'));
    expect(edit('a.js', js, 'Here it is:\n```js\n// ...\nfunction f() {\n  return 2;\n}\n```')).toContain('UNCLEAR');
    expect(edit('a.js', js, '```js\n// ...\nfunction f() {\n  return 2;\n}\n```')).toBe(js.replace('return s', 'return 2'));
  });

  test(verifies('L3:case-25', 'a new method goes to the end of the class, a new statement between two placeholders nowhere'), () => {
    const lazy = 'class A {\n  // ... existing code ...\n\n  fresh() {\n    return 9;\n  }\n\n  // ... existing code ...\n}\n// ...';
    expect(edit('a.ts', TWO, lazy)).toBe(TWO.replace('  other() {}\n', '  other() {}\n\n  fresh() {\n    return 9;\n  }\n'));
    const text = 'function f() {\n  one();\n  two();\n}\n';
    expect(edit('a.js', text, 'function f() {\n  // ...\n  fresh(1);\n  // ...\n}')).toContain('UNCLEAR fresh(1);');
  });

  test(verifies('L3:case-26', 'a part of a class goes into the only class that fits, re-indented'), () => {
    expect(edit('a.ts', TWO, 'other() {\n  return 5;\n}')).toBe(TWO.replace('other() {}', 'other() {\n    return 5;\n  }'));
    const py =
      'class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n\n\nclass B:\n    def three(self):\n        return 3\n';
    expect(edit('a.py', py, 'def two(self):\n    return 5\n')).toBe(py.replace('return 2', 'return 5'));
    expect(
      edit('a.py', py, 'class A:\n    # ... existing methods ...\n\n    def two(self):\n        return 5\n\n# ... rest of code ...'),
    ).toBe(py.replace('return 2', 'return 5'));
  });

  test.each([
    [
      'a.go',
      'package main\n\nimport "fmt"\n\nfunc one() int {\n\treturn 1\n}\n\nfunc (s *S) two() {\n\tfmt.Println(2)\n\tdone()\n}\n',
      '// ... existing code ...\n\nfunc (s *S) two() {\n\t// ... existing code ...\n\tdone()\n\tmore()\n}\n',
      'done()\n',
      'done()\n\tmore()\n',
    ],
    [
      'a.rs',
      'use std::fmt;\n\nimpl A {\n    fn one(&self) -> i32 {\n        1\n    }\n\n    fn two(&self) -> i32 {\n        2\n    }\n}\n',
      '// ... existing code ...\nimpl A {\n    // ... existing code ...\n    fn two(&self) -> i32 {\n        22\n    }\n}\n',
      '        2\n',
      '        22\n',
    ],
    [
      'a.java',
      'package x;\n\npublic class A {\n    private int a = 1;\n\n    int one() {\n        return a;\n    }\n}\n',
      '// ...\npublic class A {\n    // ... existing fields ...\n\n    int one() {\n        return a + 1;\n    }\n}\n',
      'return a;',
      'return a + 1;',
    ],
    [
      'a.yaml',
      'name: x\non:\n  push:\n    branches: [a]\njobs:\n  one: 1\n  two: 2\n',
      '# ... existing ...\njobs:\n  # ... existing ...\n  two: 3\n',
      'two: 2',
      'two: 3',
    ],
  ])('%s', (path, text, changes, from, to) => {
    expect(edit(path, text, changes)).toBe(text.replace(from, to));
  });

  test('keeps comments, line ends and the byte order mark', () => {
    const text = '\uFEFF// one\r\n/** Adds. */\r\nfunction add() {\r\n  return 1;\r\n}';
    expect(edit('a.js', text, '// ...\nfunction add() {\n  return 2;\n}')).toBe(text.replace('return 1', 'return 2'));
  });

  test('is unclear where it leaves out what decorates a definition', () => {
    const py = 'class A:\n    @skip(\n        "x",\n    )\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n';
    expect(edit('a.py', py, 'def one(self, x):\n    return x')).toBe('UNCLEAR def one(self, x):: the file has "@skip" above it');
    expect(edit('a.py', py, '@skip("x")\ndef one(self, x):\n    return x')).toBe(
      py.replace('@skip(\n        "x",\n    )', '@skip("x")').replace('one(self)', 'one(self, x)').replace('return 1', 'return x'),
    );
    const java =
      'class A {\n    @Override\n    int one() {\n        return 1;\n    }\n\n    @Override\n    int two() {\n        return 2;\n    }\n}\n';
    expect(edit('a.java', java, 'class A {\n    // ...\n    int two() {\n        return 3;\n    }\n}')).toContain(
      'the file has "@Override" above it',
    );
    expect(edit('a.java', java, 'class A {\n    // ...\n    @Override\n    int two() {\n        return 3;\n    }\n}')).toBe(
      java.replace('return 2', 'return 3'),
    );
  });

  test('is unclear where a placeholder may stand for a part of what is above it', () => {
    const text = 'interface A {\n  one: string;\n  kind:\n    | B\n    | C\n    | D;\n  two: string;\n}\n';
    const changes = 'interface A {\n  // ...\n  kind:\n    | B\n    | X\n    // ... existing code ...\n}';
    expect(edit('a.ts', text, changes)).toBe('UNCLEAR // ... existing code ...: it may stand for a part of "kind:"');
    expect(edit('a.ts', text, changes.replace('X\n  ', 'X;\n').replace('\n}', '\n}'))).toBe(text.replace('| C\n    | D', '| X'));
  });

  test('is unclear where a placeholder may stand for the other clauses of a statement', () => {
    const py = 'def f(a):\n    if a:\n        b = 1\n    # or not\n    elif c:\n        b = 2\n    return b\n';
    const changes = 'def f(a):\n    if a:\n        b = 3\n    # ... existing code ...\n';
    expect(edit('a.py', py, changes)).toBe('UNCLEAR if a:: the file goes on with "elif c:" in it');
    const shown = changes.replace('    # ...', '    return b\n    # ...');
    expect(edit('a.py', py, shown)).toBe('def f(a):\n    if a:\n        b = 3\n    return b\n');
  });

  test('tells overloads and branches of the preprocessor apart, or is unclear', () => {
    const cc = 'int f(int a) {\n  return a;\n}\n\nint f(char a) {\n  return 2;\n}\n';
    expect(edit('a.cc', cc, '// ...\nint f(char a) {\n  return 3;\n}')).toBe(cc.replace('return 2', 'return 3'));
    expect(edit('a.cc', cc, '// ...\nint f(long a) {\n  return 3;\n}')).toBe('UNCLEAR int f(long a) {: it fits 2 places');
    const both = '#if A\nint f(int a) {\n  return 1;\n}\n#else\nint f(int a) {\n  return 2;\n}\n#endif\n';
    expect(edit('a.cc', both, 'int f(int a) {\n  return 3;\n}')).toBe('UNCLEAR int f(int a) {: it fits 2 places');
  });

  test('is unclear where the file has its first line once more, in a part that cannot be parsed', () => {
    const text = 'function f() {\n  function g() {\n    return 1;\n  }\n}\n}}} (\nfunction h() {\n  function g() {\n    return 1;\n';
    expect(edit('a.js', text, 'function g() {\n  return 2;\n}')).toMatch(
      /UNCLEAR function g\(\) \{: its first line stands in the file 2 times/,
    );
  });

  test('as a unified diff takes the place nearest to its line', () => {
    const text = 'a\nx\nb\na\nx\nb\n';
    expect(edit('f.js', text, '@@ -4,3 +4,3 @@\n a\n-x\n+y\n b\n')).toBe('a\nx\nb\na\ny\nb\n');
    expect(edit('f.js', text, '--- a/f.js\n+++ b/f.js\n@@ -1,2 +1,2 @@\n a\n-x\n+y\n')).toBe('a\ny\nb\na\nx\nb\n');
    expect(edit('f.js', text, '@@ -1,2 +1,2 @@\n a\n-z\n+y\n')).toBe('UNCLEAR @@ -1,2 +1,2 @@: its context is not in the file');
  });
});
