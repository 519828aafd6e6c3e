// Code in colours, for the languages that training logs contain; loaded when a text has some.
import highlighter from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import cpp from 'highlight.js/lib/languages/cpp'
import diff from 'highlight.js/lib/languages/diff'
import ini from 'highlight.js/lib/languages/ini'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const LANGUAGES = { bash, cpp, diff, ini, javascript, json, python, rust, sql, xml, yaml }
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language)

/** Null for other languages. */
export function code(source: string, language: string): string | null {
  if (highlighter.getLanguage(language) === undefined) return null
  return highlighter.highlight(source, { language, ignoreIllegals: true }).value
}
