// The second fence: whatever made the HTML of a text, only these elements and attributes of it reach the page.
import DOMPurify from 'dompurify'

const HTML =
  'a b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i ins li mark ol p pre s span strong sub sup table tbody td th thead tr ul'
const MATH =
  'math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics'
const ATTRIBUTES =
  'accent accentunder align aria-label class columnalign columnlines columnspacing depth display displaystyle fence height href linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rel role rowlines rowspacing rspace scriptlevel separator start stretchy symmetric target title voffset width'

const CONFIG = {
  ALLOWED_TAGS: [...HTML.split(' '), ...MATH.split(' ')],
  ALLOWED_ATTR: ATTRIBUTES.split(' '),
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  // The expression holds for all others.
  ADD_URI_SAFE_ATTR: ATTRIBUTES.split(' ').filter((name) => name !== 'href'),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // A formula carries its source, which is not to be shown beside it.
  ADD_FORBID_CONTENTS: ['annotation', 'annotation-xml'],
}

export function sanitise(html: string): string {
  return DOMPurify.sanitize(html, CONFIG)
}
