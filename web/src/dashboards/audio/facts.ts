// What a link has of audio alone: how frequencies are spread, and whether clips are played as loud as they were logged.
import { flag, one, word } from '../../lib/query'

export const audioFacts = {
  scale: one('audio.scale', word('mel', 'log'), 'mel', { history: 'step' }),
  isAsLogged: flag('audio.asLogged'),
}
