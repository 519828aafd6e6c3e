// Markdown as HTML that needs no styles, scripts or requests of its own: no markup passes through, links lead out of the board or nowhere.
import newReader, { type MarkdownIt, type StateBlock, type StateCore, type StateInline, type Token } from 'markdown-it'

/** Draws a formula as MathML, or code in colours; null for what it does not know. */
export interface Extras {
  readonly math?: ((tex: string, isBlock: boolean) => string | null) | undefined
  readonly code?: ((source: string, language: string) => string | null) | undefined
}

export interface Rendered {
  readonly html: string
  /** Which extras would have improved it. */
  readonly lacks: ReadonlySet<keyof Extras>
}

/** What the renderer works with beside the text; no interface, since the reader's own has other fields as well. */
type Surroundings = {
  readonly extras: Extras
  readonly lacks: Set<keyof Extras>
}

// Longer formulas are no formulas, and looking further for the end of each would take quadratic time.
const MOST_MATH = 4_000
const MOST_INLINE = 400
const MOST_MATH_LINES = 100
// More takes longer than people wait for colours.
const MOST_CODE = 100_000
const LINK = /^(https?|mailto):/i
const WEB = /^https?:/i

// Looking for the ends of more links than that takes quadratic time; they are shown as they were written.
const MOST_BRACKETS = 2_000

// Samples and logs mean the ends of their lines.
const OPTIONS = { html: false, breaks: true, typographer: false }

const reader = withRules(newReader({ ...OPTIONS, linkify: true }))
const linkless = withRules(newReader(OPTIONS)).disable(['link', 'image', 'reference'])
const { escapeHtml } = reader.utils

function withRules(reader: MarkdownIt): MarkdownIt {
  reader.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  // Links that run or lead into the board become plain text in `checkLinks`, which keeps their words.
  reader.validateLink = () => true
  reader.inline.ruler.before('escape', 'math', inlineMath)
  reader.block.ruler.before('fence', 'math_block', blockMath, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
  reader.core.ruler.push('links', checkLinks)
  reader.core.ruler.push('tasks', markTasks)
  reader.core.ruler.push('plain', avoidStyles)
  const { rules } = reader.renderer
  rules.math = (tokens, at, _options, env) => math(tokens[at], env, false)
  rules.math_block = (tokens, at, _options, env) => math(tokens[at], env, true)
  rules.fence = (tokens, at, _options, env) => code(tokens[at], env)
  rules.task = (tokens, at) => task(tokens[at]?.markup === 'x')
  rules.image = (tokens, at) => picture(tokens, at)
  return reader
}

/** The HTML of a text. It is not trusted for all that: whatever shows it sanitises it first. */
export function render(text: string, extras: Extras = {}): Rendered {
  const env: Surroundings = { extras, lacks: new Set() }
  const chosen = hasMany(text, '[', MOST_BRACKETS) || hasMany(text, '://', MOST_BRACKETS) ? linkless : reader
  return { html: chosen.render(text, env), lacks: env.lacks }
}

function hasMany(text: string, mark: string, most: number): boolean {
  let found = 0
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) if (++found > most) return true
  return false
}

// --- formulas ---

const CLOSING: Readonly<Record<string, string>> = { '\\(': '\\)', '\\[': '\\]', $$: '$$', $: '$' }

/** `$x$`, `$$x$$`, `\(x\)` and `\[x\]` inside a paragraph. */
function inlineMath(state: StateInline, isSilent: boolean): boolean {
  const { src, pos, posMax } = state
  const first = src[pos]
  if (first !== '$' && first !== '\\') return false
  const open = CLOSING[src.slice(pos, pos + 2)] === undefined ? '$' : src.slice(pos, pos + 2)
  const close = CLOSING[open]
  if (close === undefined || !src.startsWith(open, pos)) return false
  const from = pos + open.length
  const length = closing(src.slice(from, Math.min(posMax, from + (open === '$' ? MOST_INLINE : MOST_MATH))), close)
  if (length < 0) return false
  const end = from + length
  if (!isSilent) {
    const token = state.push(open === '$' || open === '\\(' ? 'math' : 'math_block', '', 0)
    token.content = src.slice(from, end)
    token.markup = open
  }
  state.pos = end + close.length
  return true
}

/** The length of a formula; -1 if it does not end. Sums of money are none: a single `$` touches the formula, and no digit follows it. */
function closing(rest: string, close: string): number {
  const isMoney = close === '$'
  if (isMoney && isSpace(rest[0])) return -1
  for (let end = rest.indexOf(close); end > 0; end = rest.indexOf(close, end + 1)) {
    const last = rest[end - 1]
    if (last === '\\' && close.startsWith('$')) continue
    const next = rest[end + 1] ?? ''
    if (!isMoney || (!isSpace(last) && !(next >= '0' && next <= '9'))) return end
  }
  return -1
}

function isSpace(mark: string | undefined): boolean {
  return mark === undefined || mark === ' ' || mark === '\n' || mark === '\t'
}

/** Lines from one that begins with `$$` to one that ends with it. */
function blockMath(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  const line = (at: number): string =>
    state.src.slice((state.bMarks[at] ?? 0) + (state.tShift[at] ?? 0), state.eMarks[at] ?? 0).trimEnd()
  if (!line(startLine).startsWith('$$')) return false
  const lines = [line(startLine).slice(2)]
  let length = lines[0]?.length ?? 0
  const isOpen = (): boolean => !(lines.at(-1) ?? '').endsWith('$$') || (lines.length === 1 && length === 2)
  while (isOpen()) {
    const next = startLine + lines.length
    if (next >= endLine || lines.length >= MOST_MATH_LINES || length > MOST_MATH) return false
    const more = line(next)
    lines.push(more)
    length += more.length + 1
  }
  if (isSilent) return true
  const token = state.push('math_block', '', 0)
  token.block = true
  token.content = lines.join('\n').slice(0, -2)
  token.markup = '$$'
  state.line = startLine + lines.length
  return true
}

function math(token: Token | undefined, env: unknown, isBlock: boolean): string {
  const { extras, lacks } = env as Surroundings
  const tex = token?.content ?? ''
  if (extras.math === undefined) lacks.add('math')
  const drawn = extras.math?.(tex, isBlock) ?? `<code>${escapeHtml(tex)}</code>`
  return isBlock ? `<span class="math">${drawn}</span>` : drawn
}

// --- code ---

function code(token: Token | undefined, env: unknown): string {
  const { extras, lacks } = env as Surroundings
  const source = token?.content ?? ''
  const language = /^[\w+#.-]*/.exec(token?.info.trim() ?? '')?.[0].toLowerCase() ?? ''
  const isColoured = language !== '' && source.length <= MOST_CODE
  if (isColoured && extras.code === undefined) lacks.add('code')
  const drawn = (isColoured ? extras.code?.(source, language) : null) ?? escapeHtml(source)
  return `<pre><code>${drawn}</code></pre>\n`
}

// --- links, pictures, tasks ---

/** Links open a tab of their own, which learns nothing of this one. What is no web or mail address keeps its words and leads nowhere. */
function checkLinks(state: StateCore): void {
  for (const { children } of state.tokens) {
    const isLive: boolean[] = []
    for (const token of children ?? []) {
      if (token.type === 'link_open') {
        const href = String(token.attrGet('href') ?? '')
        isLive.push(LINK.test(href))
        if (LINK.test(href)) {
          token.attrSet('target', '_blank')
          token.attrSet('rel', 'noopener noreferrer')
        } else {
          token.tag = 'span'
          token.attrs = [['class', 'inert']]
        }
      } else if (token.type === 'link_close' && isLive.pop() === false) {
        token.tag = 'span'
      }
    }
  }
}

/** Nothing is fetched for a text: a picture is a link to it, or its words. */
function picture(tokens: readonly Token[], at: number): string {
  const token = tokens[at]
  const source = String(token?.attrGet('src') ?? '')
  const words = escapeHtml(token?.content !== undefined && token.content !== '' ? token.content : 'picture')
  const depth = tokens.slice(0, at).reduce((sum, { type }) => {
    if (type === 'link_open') return sum + 1
    return type === 'link_close' ? sum - 1 : sum
  }, 0)
  if (depth > 0 || !WEB.test(source)) return `<span class="picture">${words}</span>`
  return `<a class="picture" href="${escapeHtml(source)}" target="_blank" rel="noopener noreferrer">${words}</a>`
}

function task(isDone: boolean): string {
  return `<span class="task" role="img" aria-label="${isDone ? 'done' : 'to do'}">${isDone ? '☑' : '☐'}</span> `
}

/** `- [x] done` */
function markTasks(state: StateCore): void {
  state.tokens.forEach((token, at) => {
    if (token.type !== 'inline' || state.tokens[at - 2]?.type !== 'list_item_open') return
    const [first] = token.children ?? []
    const box = first?.type === 'text' ? /^\[([ xX])\]\s/.exec(first.content) : null
    if (first === undefined || box === null) return
    first.content = first.content.slice(box[0].length)
    const mark = new state.Token('task', '', 0)
    mark.markup = box[1] === ' ' ? '' : 'x'
    token.children?.unshift(mark)
    state.tokens[at - 2]?.attrJoin('class', 'has-task')
  })
}

// --- what the page's policy and outline need ---

const LEVEL = 4

/** Cells are aligned by classes, since styles in a text are refused, and headings are below that of the item. */
function avoidStyles(state: StateCore): void {
  for (const token of state.tokens) {
    const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))
    if (align !== null) token.attrs = [['class', align[1] ?? '']]
    const level = /^h([1-6])$/.exec(token.tag)
    if (level !== null) {
      token.tag = `h${String(Math.min(6, Number(level[1]) + LEVEL))}`
      if (token.nesting === 1) token.attrJoin('class', `level-${level[1] ?? ''}`)
    }
  }
}
