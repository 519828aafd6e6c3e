// Markdown as HTML: what is drawn, and what a hostile text does not achieve.
import { expect, test } from 'vitest'
import { code } from './code'
import { render } from './markdown'
import { math } from './math'

const html = (text: string): string => render(text, { math, code }).html.trim()

test.each([
  ['# One\n\n## Two', '<h5 class="level-1">One</h5>\n<h6 class="level-2">Two</h6>'],
  ['one\ntwo', '<p>one<br>\ntwo</p>'],
  ['a **b** `c`', '<p>a <strong>b</strong> <code>c</code></p>'],
  ['- [x] a\n- [ ] b', /^<ul>\n<li class="has-task"><span class="task" role="img" aria-label="done">☑<\/span> a<\/li>/],
  ['|a|b|\n|:-|-:|\n|1|2|', /<th class="left">a<\/th>\n<th class="right">b<\/th>/],
  ['```python\nx = 1 < 2\n```', /<pre><code>x = <span class="hljs-number">1<\/span> &lt; /],
  ['```unknown\n<b>\n```', '<pre><code>&lt;b&gt;\n</code></pre>'],
  ['see https://example.org/x', /<a href="https:\/\/example.org\/x" target="_blank" rel="noopener noreferrer">/],
])('%j is drawn', (text, expected) => {
  if (typeof expected === 'string') expect(html(text)).toBe(expected)
  else expect(html(text)).toMatch(expected)
})

test('styles are never used, since the page refuses them', () => {
  expect(html('|a|\n|-:|\n|1|\n\n3. x\n\n$\\color{red}{x}$')).not.toMatch(/ on\w+=/)
  expect(html('|a|\n|-:|\n|1|')).not.toContain('style')
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:x)',
  '[x](//elsewhere.example/)',
  '[x](../api/v1/status)',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '[x]: javascript:alert(1)\n[x]',
  '$\\href{javascript:alert(1)}{x}$',
  '$\\htmlData{a=b}{x}$',
  '```"><script>\nx\n```',
])('%j has no element that acts', (text) => {
  const found = html(text)
  expect(found).not.toMatch(/<(script|img|svg|iframe|a)\b/i)
  expect(found).not.toMatch(/<[^>]* (href|src|on\w+)=/i)
})

test('a picture of elsewhere is a link, and its words inside a link', () => {
  expect(html('![cat](https://example.org/cat.png)')).toMatch(/^<p><a class="picture" href="https:.*>cat<\/a><\/p>$/)
  const badge = html('[![build](https://example.org/b.svg)](https://example.org/)')
  expect(badge.match(/<a /g)).toHaveLength(1)
  expect(badge).toContain('<span class="picture">build</span>')
})

test.each([
  ['$x^2$', 1],
  ['a $x$ and $y$', 2],
  ['\\(x\\) and \\[y\\]', 2],
  ['$$\n\\sum_i x_i\n= 1\n$$', 1],
  ['$$a$$ b', 1],
  ['it costs $5 and $10', 0],
  ['US$5, $ x $', 0],
  ['`$x$`', 0],
  ['$$\nnever closed', 0],
])('%j has %i formulas', (text, formulas) => {
  expect(html(text).match(/<math/g) ?? []).toHaveLength(formulas)
})

test('what is no formula is shown as its source', () => {
  expect(html('$\\frac{1}$')).toBe('<p><code>\\frac{1}</code></p>')
  expect(html('$\\def\\a{\\a\\a}\\a$')).toContain('<code>')
})

test('extras are asked for when a text has use for them', () => {
  expect([...render('plain *text*').lacks]).toEqual([])
  expect([...render('$x$ and\n\n```python\nx\n```').lacks].sort()).toEqual(['code', 'math'])
  expect(render('$x$').html).toContain('<code>x</code>')
})

test.each(['$a ', '[', '*a ', '> ', '$$a\n', '`', '![a', '[a](', '<a ', 'http://', '&a', '|a\n', '- ', '_a_', '\\('])(
  'many of %j take no longer than other texts',
  (piece) => {
    expect(render(piece.repeat(50_000 / piece.length)).html.length).toBeGreaterThan(0)
  },
)
